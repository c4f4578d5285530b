#include "explore/watch/event_stream.h"

#include <algorithm>

#include "base/patience.h"
#include "order/access.h"

namespace fairlead::explore {
namespace {

// With thousands of threads an event takes a tenth of a millisecond, and no
// more than some of them may come behind the deadline. A look at the clock is
// cheap beside any of them.
constexpr uint64_t kLookEvery = 64;

// One that is about much memory takes as long as many: a cell of 8 bytes is
// looked at by each observer. So a look comes at least for each 32 KiB.
constexpr uint64_t kBytesOfOne = 512;

// What an event costs, in ordinary ones.
uint64_t CostOf(const trace::Event& event) {
  uint64_t bytes = 0;
  if (order::AccessOf(event) != order::AccessKind::kNone) {
    bytes = event.size;
  } else if (order::EndsMemory(event.kind)) {
    bytes = event.value;
  }
  return 1 + std::min(bytes / kBytesOfOne, kLookEvery);
}

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

bool EventStream::IsTimeToLook(const trace::Event& event) {
  cost_ += CostOf(event);
  if (cost_ < kLookEvery) return false;
  cost_ = 0;
  return true;
}

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
        if (IsTimeToLook(event) && ShouldStop()) stopped_ = true;
        if (stopped_) return;
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
