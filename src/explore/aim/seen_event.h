// explore/aim/seen_event.h
//
// An event of an execution as far as it matters for what leads to a step
// (explore/aim/preconditions.h).

#ifndef FAIRLEAD_EXPLORE_AIM_SEEN_EVENT_H_
#define FAIRLEAD_EXPLORE_AIM_SEEN_EVENT_H_

#include <cstdint>
#include <string_view>

#include "finding/target.h"
#include "trace/event.h"

namespace fairlead::explore {

struct SeenEvent {
  uint64_t address = 0;
  uint64_t anchor = 0;
  uint32_t size = 0;
  trace::Tid tid = trace::Tid::kNone;
  finding::Operation operation = finding::Operation::kCall;
  bool reads = false;
  bool writes = false;
  std::string_view function = {};  // of SeenExecution::functions
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_AIM_SEEN_EVENT_H_
