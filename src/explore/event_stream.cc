#include "explore/event_stream.h"

namespace fairlead::explore {

void EventStream::OnRecords(std::span<const abi::Event> records,
                            const ControlMemory&) {
  if (!status_) return;
  status_ = decoder_.EachUntrusted(
      records,
      [&](const trace::Event& event) {
        for (EventObserver* observer : observers_) observer->OnEvent(event);
      },
      [&](const abi::Event& record) {
        for (EventObserver* observer : observers_) observer->Expect(record);
      });
}

}  // namespace fairlead::explore
