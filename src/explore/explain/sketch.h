// explore/explain/sketch.h
//
// From what an execution recorded to its sketch: the choices that differ from
// not preempting (sched/sketch_strategy.h), in the order in which they were
// made, and how large its schedule is.

#ifndef FAIRLEAD_EXPLORE_EXPLAIN_SKETCH_H_
#define FAIRLEAD_EXPLORE_EXPLAIN_SKETCH_H_

#include <span>
#include <vector>

#include "abi/control.h"
#include "explore/run/execution.h"
#include "finding/explanation.h"

namespace fairlead::explore {

struct SketchRecord {
  abi::ChoiceRecord choice;
  bool preempts = false;
  bool operator==(const SketchRecord& other) const {
    return choice.left == other.choice.left &&
           choice.next == other.choice.next &&
           choice.count == other.choice.count &&
           choice.option == other.choice.option;
  }
};
using Sketch = std::vector<SketchRecord>;

// A place where a thread could have been preempted.
struct Passed {
  abi::Tid running;
  uint32_t count;
  abi::SiteId site;
  std::vector<abi::Tid> others;  // that could have gone on
};

struct Sketched {
  Sketch sketch;
  finding::ScheduleSize size;
  // False: it had more choices than can be kept, so every switch is in the
  // sketch, and counts as a preemption.
  bool whole = true;
};

Sketched SketchOf(const Executed& executed);

// The places of an execution, at most `limit`.
std::vector<Passed> PlacesPassed(const Executed& executed, size_t limit);

// Records by which the sleeps that took their time would have passed at once.
Sketch SleepsOf(const Executed& executed);

// As the strategy wants them.
std::vector<abi::ChoiceRecord> RecordsOf(const Sketch& sketch);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_EXPLAIN_SKETCH_H_
