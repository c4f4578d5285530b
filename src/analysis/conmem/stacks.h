// analysis/conmem/stacks.h
//
// Whose stack, or thread-local storage, an address lies in.

#ifndef FAIRLEAD_ANALYSIS_CONMEM_STACKS_H_
#define FAIRLEAD_ANALYSIS_CONMEM_STACKS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "trace/event.h"

namespace fairlead::analysis::conmem {

class Stacks {
 public:
  // For every event that is no access.
  void OnOther(const trace::Event& event) {
    switch (event.kind) {
      case trace::EventKind::kStack:
      case trace::EventKind::kTls:
        Add({event.tid, event.address, event.address + event.value});
        return;
      case trace::EventKind::kEnd:
        std::erase_if(ranges_,
                      [&](const Range& each) { return each.tid == event.tid; });
        return;
      default:
        return;
    }
  }

  // kNone: it is on no stack.
  trace::Tid OwnerOf(uint64_t address) const {
    if (address - first_ >= end_ - first_) return trace::Tid::kNone;
    for (const Range& each : ranges_) {
      if (address - each.begin < each.end - each.begin) return each.tid;
    }
    return trace::Tid::kNone;
  }

 private:
  struct Range {
    trace::Tid tid = trace::Tid::kNone;
    uint64_t begin = 0;
    uint64_t end = 0;
  };

  // In place of what was there before.
  void Add(const Range& range) {
    if (range.end <= range.begin) return;
    std::erase_if(ranges_, [&](const Range& each) {
      return each.begin < range.end && range.begin < each.end;
    });
    ranges_.push_back(range);
    if (end_ == 0) first_ = range.begin;
    first_ = std::min(first_, range.begin);
    end_ = std::max(end_, range.end);
  }

  uint64_t first_ = 0;  // no range is below,
  uint64_t end_ = 0;    // or at or above
  std::vector<Range> ranges_;
};

}  // namespace fairlead::analysis::conmem

#endif  // FAIRLEAD_ANALYSIS_CONMEM_STACKS_H_
