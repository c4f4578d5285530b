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

  // The record this many places behind the first of the next event; null when
  // it has not been fed.
  const abi::Event* Ahead(size_t num_records) const {
    const size_t index = taken_ + num_records;
    return index < records_.size() ? &records_[index] : nullptr;
  }

  // Feeds `records` and gives every event that is complete to `on_event`; the
  // same error as Next. `on_ahead` is given, untrusted, the record that is
  // kAhead places behind each event, if there is one.
  static constexpr size_t kAhead = 16;
  template <typename OnEvent>
  Status EachUntrusted(std::span<const abi::Event> records,
                       OnEvent&& on_event) {
    return EachUntrusted(records, on_event, [](const abi::Event&) {});
  }
  template <typename OnEvent, typename OnAhead>
  Status EachUntrusted(std::span<const abi::Event> records, OnEvent&& on_event,
                       OnAhead&& on_ahead) {
    FeedUntrusted(records);
    Event event;
    while (true) {
      if (const abi::Event* ahead = Ahead(kAhead)) on_ahead(*ahead);
      if (!TakeAccess(event)) {
        const Result<bool> got = Next(event);
        if (!got) return got.error();
        if (!*got) return {};
      }
      on_event(event);
    }
  }

  // Refuses records that are left over: the stream was cut inside an event.
  Status Finish() const;

  uint64_t num_events() const { return num_events_; }

 private:
  static void Start(const abi::Event& record, Event& event) {
    event.tid = Tid{record.thread};
    event.kind = record.kind;
    event.flags = record.flags & static_cast<uint16_t>(~abi::kFlagExtended);
    event.size = record.size;
    event.instructions = record.instructions;
    event.site = record.site;
    event.node = record.node;
    event.address = record.address;
    event.value = record.value;
    event.old_value.reset();
    event.partner.reset();
    event.block.reset();
    event.this_object.reset();
    event.payload.clear();
  }

  // The next event if it is an access of one record, as nearly all are; false
  // for anything else, which Next knows more about.
  bool TakeAccess(Event& event) {
    if (taken_ == records_.size()) return false;
    const abi::Event& record = records_[taken_];
    if (record.kind < EventKind::kRead || record.kind > EventKind::kCas ||
        (record.flags & abi::kFlagExtended) != 0 ||
        record.thread >= abi::kMaxThreads) {
      return false;
    }
    Start(record, event);
    event.seq = num_events_++;
    ++taken_;
    return true;
  }

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
