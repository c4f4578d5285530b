// finding/explanation.h
//
// What makes a finding small and certain: the smallest schedule known that
// fails in the same way, and the few orders of events that are enough to make
// it fail, with what was counted to show it. Plain values; explore/explain
// makes them, the store keeps them beside the finding, reports show them.

#ifndef FAIRLEAD_FINDING_EXPLANATION_H_
#define FAIRLEAD_FINDING_EXPLANATION_H_

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "finding/finding.h"

namespace fairlead::finding {

// What is made small, the first first.
struct ScheduleSize {
  uint64_t preemptions = 0;
  uint64_t switches = 0;
  uint64_t threads = 0;  // that take part in switches
  uint64_t steps = 0;    // points passed
  auto operator<=>(const ScheduleSize&) const = default;
};

// How a step of a target is found in another build, besides by its anchor.
struct StepName {
  std::string function = {};  // as in the source
  std::string line = {};      // text of the source line, blanks folded; "" = ?
  std::string kind = {};      // of the site: load, store, call, …
  std::string field = {};     // "Type::field", or the variable; "" = neither
  std::string object = {};    // role in words: "counter", "lock m"
  std::string thread = {};    // the function that its thread began with; "" = ?
  std::string calls = {};     // functions that led there, the innermost first
  // Anchors of all sites of that function, kind and field, in their order, and
  // of all of that function and kind.
  std::vector<uint64_t> same_field = {};
  std::vector<uint64_t> same_kind = {};
  // How often its thread passed there until then, of how many times.
  uint32_t pass = 0;
  uint32_t passes = 0;
  bool operator==(const StepName&) const = default;
};

// `failed` of `tried` executions failed like the finding. `possible` is false
// where nothing could be tried: an order turned around may be a circle.
struct Count {
  uint64_t failed = 0;
  uint64_t tried = 0;
  bool possible = true;
  bool operator==(const Count&) const = default;
};

struct EdgeEvidence {
  Count released = {};  // all others forced, this one not
  Count reversed = {};  // … and this one the other way round
  bool operator==(const EdgeEvidence&) const = default;
};

// An order of two steps of a target that every execution had that failed.
struct StepPair {
  uint32_t before = 0;
  uint32_t after = 0;
  bool needed = true;  // none failed with it reversed
  bool operator==(const StepPair&) const = default;
};

// Orders of steps (Target::edges) of which forcing all is enough.
struct Ordering {
  Target target = {};
  std::vector<StepName> names = {};      // by step
  Count all = {};                        // forced
  Count none = {};                       // the same seeds without
  std::vector<EdgeEvidence> edges = {};  // by edge
  // What all failures had in common, with steps that may be in no edge.
  std::vector<StepPair> common = {};

  bool sufficient() const { return all.tried != 0 && all.failed == all.tried; }
};

struct Explanation {
  ScheduleSize before = {};
  ScheduleSize after = {};
  uint64_t executions = 0;  // that it took
  Count fibers = {};        // repetitions of the small schedule
  Count threads = {};
  Witness witness = {};  // of the small schedule, which it has
  std::optional<Ordering> ordering = {};
};

// "1 preemption and 4 switches".
std::string SizeText(const ScheduleSize& size);

// Lines that say which orders are enough, and the table that shows it; empty
// without an ordering.
std::vector<std::string> OrderingLines(const Ordering& ordering);

// "thread a writes count at a.c:3 before …".
std::string PairText(const Ordering& ordering, StepPair pair);
std::string EdgeText(const Ordering& ordering, size_t edge);

Json OrderingJson(const Ordering& ordering);
// Refuses what makes no sense, naming the field.
Result<Ordering> OrderingFromJsonUntrusted(const Json& json);

Json SizeJson(const ScheduleSize& size);
ScheduleSize SizeFromUntrusted(const Json& json);
Json CountJson(const Count& count);
Count CountFromUntrusted(const Json& json);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_EXPLANATION_H_
