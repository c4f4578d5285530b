// tests/trace/samples.h
//
// Events that between them use every kind, flag, order and extension.

#ifndef FAIRLEAD_TESTS_TRACE_SAMPLES_H_
#define FAIRLEAD_TESTS_TRACE_SAMPLES_H_

#include <vector>

#include "trace/event.h"
#include "trace/kinds.h"

namespace fairlead::trace {

// One event of each kind with fields that differ, then one for each flag,
// order, extension and extreme size.
inline std::vector<Event> SampleEvents() {
  std::vector<Event> events;
  const auto add = [&](Event event) {
    event.seq = events.size();
    events.push_back(std::move(event));
  };
  for (const KindEntry& entry : Kinds()) {
    if (entry.group == EventGroup::kExtension) continue;
    const auto number = static_cast<uint64_t>(entry.kind);
    Event event;
    event.tid = Tid{static_cast<uint16_t>(number % 5)};
    event.kind = entry.kind;
    event.size = number % 3 == 0 ? 4 : 0;
    event.site = static_cast<uint32_t>(number);
    event.flags = number % 2 == 0 ? abi::kFlagInstrumented : 0;
    event.node = static_cast<uint32_t>(number % 7);
    event.instructions = number;
    event.address = 0x4000 + 8 * number;
    event.value = number % 4;
    add(event);
    add(Event{.kind = entry.kind});
  }
  for (const FlagEntry& entry : FlagWords()) {
    add({.kind = EventKind::kLock, .flags = entry.flag});
  }
  for (uint16_t order = 0; order < 8; ++order) {
    add({.kind = EventKind::kRmw,
         .flags = order,
         .size = 8,
         .address = 1,
         .value = ~uint64_t{0},
         .old_value = order});
  }
  for (const uint64_t size : {254u, 255u, 256u, 1u << 30}) {
    add({.kind = EventKind::kWrite, .size = size, .instructions = size * 300});
  }
  for (const uint32_t c : {0u, 1u, 2u, 3u, 4u}) {
    add({.kind = EventKind::kAlloc,
         .block =
             Block{c, c * 8, static_cast<abi::BlockClass>(c), c % 2 == 1}});
  }
  add({.kind = EventKind::kWakeSignal,
       .address = 0x8000,
       .value = 3,
       .partner = Partner{Tid{2}, 0x9000}});
  add({.kind = EventKind::kDeadlock, .partner = Partner{Tid::kNone, 0}});
  add({.kind = EventKind::kEnter, .this_object = 0x1234});
  std::string bytes;
  for (int c = 0; c < 256; ++c) bytes += static_cast<char>(c);
  add({.kind = EventKind::kMark, .payload = bytes});
  add({.kind = EventKind::kMark, .payload = "a label"});
  return events;
}

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TESTS_TRACE_SAMPLES_H_
