// trace/event.h
//
// One event with all that its extension records add: what analyses read. The
// 32-byte records of abi/event.h are its form on the wire; trace/decode.h and
// trace/encode.h go from one to the other, trace/text.h to text and back.

#ifndef FAIRLEAD_TRACE_EVENT_H_
#define FAIRLEAD_TRACE_EVENT_H_

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "abi/event.h"
#include "abi/ids.h"
#include "abi/site.h"

namespace fairlead::trace {

using abi::EventGroup;
using abi::EventKind;
using abi::Tid;

// The other side of an edge: a thread, and an object if it is about one.
struct Partner {
  Tid tid;
  uint64_t object;
  bool operator==(const Partner&) const = default;
};

// Where in the program's memory, told without addresses.
struct Block {
  uint64_t number;  // of the block: its order of allocation
  uint64_t offset;  // of the event's address from the block's first byte
  abi::BlockClass block_class;
  bool zeroed;
  bool operator==(const Block&) const = default;
};

struct Event {
  uint64_t seq = 0;  // position in the execution's whole stream, from 0
  Tid tid = Tid::kMain;
  EventKind kind = EventKind::kMark;
  uint16_t flags = 0;         // abi::EventFlag, without kFlagExtended
  uint64_t size = 0;          // bytes touched
  uint64_t instructions = 0;  // of this thread since its last event
  uint32_t site = 0;  // index; of a site or a caller: see instrumented()
  uint32_t node = 0;  // calling context
  uint64_t address = 0;
  uint64_t value = 0;
  std::optional<uint64_t> old_value = {};
  std::optional<Partner> partner = {};
  std::optional<Block> block = {};
  std::optional<uint64_t> this_object = {};
  std::string payload = {};  // bytes

  bool operator==(const Event&) const = default;

  bool has(abi::EventFlag flag) const { return (flags & flag) != 0; }
  abi::MemoryOrder order() const {
    return static_cast<abi::MemoryOrder>(flags & abi::kFlagOrderMask);
  }
  // Whether `site` is an index into the site table rather than the callers.
  bool instrumented() const { return has(abi::kFlagInstrumented); }
};

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_EVENT_H_
