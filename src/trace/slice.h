// trace/slice.h
//
// Which events of a trace to keep, and the names that these need.

#ifndef FAIRLEAD_TRACE_SLICE_H_
#define FAIRLEAD_TRACE_SLICE_H_

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "trace/event.h"
#include "trace/names.h"

namespace fairlead::trace {

// An event is kept when it passes every part; an empty part lets all pass.
struct Selection {
  uint64_t first_seq = 0;
  uint64_t last_seq = ~uint64_t{0};  // inclusive
  std::set<Tid> tids = {};
  std::set<EventKind> kinds = {};
  // Bytes [first, second): an event passes that touches one of them.
  std::vector<std::pair<uint64_t, uint64_t>> ranges = {};

  bool Keeps(const Event& event) const;
};

// The parts as a user writes them. Names are looked up in `names`.
struct SelectionText {
  std::string events = {};                // "10..20", "10..", "..20", "10"
  std::vector<std::string> threads = {};  // "main/1"
  std::vector<std::string> kinds = {};    // "lock", or a group: "sync"
  std::vector<std::string> objects =
      {};  // "counter", "0x4010", "0x4010..0x4018"
};
Result<Selection> ParseSelection(const SelectionText& text, const Names& names);

// Those of `names` that the kept events refer to, and all modules and threads.
Names NamesFor(const std::vector<Event>& events, const Names& names);

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_SLICE_H_
