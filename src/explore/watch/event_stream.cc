#include "explore/watch/event_stream.h"

#include "base/patience.h"

namespace fairlead::explore {
namespace {

// With thousands of threads an event takes a tenth of a millisecond, and no
// more than some of them may come behind the deadline. A look at the clock is
// cheap beside any of them.
constexpr uint64_t kLookEvery = 64;

// Nobody else writes events: what makes no sense is the program's doing.
Error Destroyed(const Error& why) {
  return Error(why.code())
      .Say("the program wrote over the memory that it shares with fairlead: {}",
           why.Text())
      .Hint(
          "look for writes through wild pointers: build it with "
          "-fsanitize=address");
}

}  // namespace

void EventStream::OnRecords(std::span<const abi::Event> records,
                            const ControlMemory& memory) {
  if (!status_) return;
  tables_.Update(memory);
  if (!began_) {
    began_ = true;
    for (EventObserver* observer : observers_)
      observer->OnBegin(tables_, orders_);
  }
  status_ = decoder_.EachUntrusted(
      records,
      [&](const trace::Event& event) {
        if (stopped_) return;
        if (event.seq % kLookEvery == 0 && ShouldStop()) stopped_ = true;
        for (EventObserver* observer : observers_) observer->OnEvent(event);
      },
      [&](const abi::Event& record) {
        if (stopped_) return;
        for (EventObserver* observer : observers_) observer->Expect(record);
      });
  if (!status_) status_ = Destroyed(status_.error());
  if (stopped_ && status_) {
    status_ = Error(ErrorCode::kInterrupted)
                  .Say("there was no time to look at all events");
  }
}

}  // namespace fairlead::explore
