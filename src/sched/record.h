// sched/record.h
//
// What a schedule remembers of a choice (abi/schedule.h): only those that
// differ from going on, so that a schedule is as short as its preemptions.
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_RECORD_H_
#define FAIRLEAD_SCHED_RECORD_H_

#include <stddef.h>
#include <stdint.h>

#include "abi/schedule.h"
#include "sched/strategy.h"

namespace fairlead::sched {

// Whether the candidates are options of one thread rather than threads. Their
// `object` is then the number of the option.
constexpr bool IsOption(const Point& point) {
  return point.enabled[0].tid == point.enabled[1].tid;
}

// Whether picking `index` is to be recorded.
constexpr bool IsRecorded(const Point& point, size_t index) {
  if (IsOption(point)) return index != 0;
  return point.enabled[index].tid != point.running;
}

constexpr abi::ChoiceRecord RecordOf(const Point& point, size_t index) {
  return {.next = point.enabled[index].tid,
          .left = point.running,
          .count = point.count,
          .anchor = point.site,
          .option = IsOption(point)
                        ? static_cast<uint32_t>(point.enabled[index].object)
                        : 0,
          .way = point.way};
}

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_RECORD_H_
