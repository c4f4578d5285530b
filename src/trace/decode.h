// trace/decode.h
//
// From records to events. Records come from the program's memory or from a
// file, so nothing about them is believed: a record that makes no sense ends
// the decoding with its offset and the reason.
//
//   Decoder decoder;
//   decoder.FeedUntrusted(records);
//   Event event;
//   while (true) {
//     Result<bool> got = decoder.Next(event);   // false: feed more
//     ...
//   }
//   decoder.Finish();                           // a last event may be complete
//
// An event is complete when its last record says that none follows.

#ifndef FAIRLEAD_TRACE_DECODE_H_
#define FAIRLEAD_TRACE_DECODE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "abi/event.h"
#include "base/result.h"
#include "trace/event.h"

namespace fairlead::trace {

class Decoder {
 public:
  // Adds records to those not yet taken. They are copied.
  void FeedUntrusted(std::span<const abi::Event> records);

  // Takes the next event that is complete. False when there is none yet. After
  // an error the decoder must not be used again.
  Result<bool> Next(Event& event);

  // Feeds `records` and gives every event that is complete to `on_event`; the
  // same error as Next.
  template <typename OnEvent>
  Status EachUntrusted(std::span<const abi::Event> records,
                       OnEvent&& on_event) {
    FeedUntrusted(records);
    Event event;
    while (true) {
      const Result<bool> got = Next(event);
      if (!got) return got.error();
      if (!*got) return {};
      on_event(event);
    }
  }

  // Refuses records that are left over: the stream was cut inside an event.
  Status Finish() const;

  uint64_t num_events() const { return num_events_; }

 private:
  uint64_t OffsetOf(size_t index) const;
  size_t Complete() const;

  std::vector<abi::Event> records_;
  size_t taken_ = 0;         // of records_
  uint64_t dropped_ = 0;     // records taken and no longer in records_
  uint64_t num_events_ = 0;  // given out
};

// All of it at once.
Result<std::vector<Event>> DecodeUntrusted(std::span<const abi::Event> records);

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_DECODE_H_
