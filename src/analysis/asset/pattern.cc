#include "analysis/asset/pattern.h"

#include <algorithm>
#include <map>
#include <set>

namespace fairlead::analysis::asset {
namespace {

constexpr PatternStep R(uint8_t location) {
  return {Side::kFirst, Way::kRead, location};
}
constexpr PatternStep W(uint8_t location) {
  return {Side::kFirst, Way::kWrite, location};
}
constexpr PatternStep OtherR(uint8_t location) {
  return {Side::kOther, Way::kRead, location};
}
constexpr PatternStep OtherW(uint8_t location) {
  return {Side::kOther, Way::kWrite, location};
}

constexpr std::string_view kStale =
    "the value read is stale by the time an update is made";
constexpr std::string_view kTwoValues =
    "two reads of the same location yield different values";
constexpr std::string_view kIntermediate =
    "an intermediate state is observed by the other";
constexpr std::string_view kNotOwn =
    "the value read is not the one that was written last";
constexpr std::string_view kLost = "the value written by the other is lost";
constexpr std::string_view kInconsistent =
    "memory is left in an inconsistent state";
constexpr std::string_view kObserved = "the state observed is inconsistent";

constexpr Pattern kPatterns[] = {
    {1, Form::kAlone, {R(0), OtherW(0), W(0)}, kStale},
    {2, Form::kAlone, {R(0), OtherW(0), R(0)}, kTwoValues},
    {3, Form::kAlone, {W(0), OtherR(0), W(0)}, kIntermediate},
    {4, Form::kAlone, {W(0), OtherW(0), R(0)}, kNotOwn},
    {5, Form::kAlone, {W(0), OtherW(0), W(0)}, kLost},
    {6, Form::kInside, {W(0), OtherW(0), OtherW(1), W(1)}, kInconsistent},
    {6, Form::kInside, {W(0), OtherW(1), OtherW(0), W(1)}, kInconsistent},
    {7, Form::kAcross, {W(0), OtherW(1), W(1), OtherW(0)}, kInconsistent},
    {8, Form::kInside, {W(0), OtherR(0), OtherR(1), W(1)}, kObserved},
    {8, Form::kInside, {W(0), OtherR(1), OtherR(0), W(1)}, kObserved},
    {9, Form::kInside, {R(0), OtherW(0), OtherW(1), R(1)}, kObserved},
    {9, Form::kInside, {R(0), OtherW(1), OtherW(0), R(1)}, kObserved},
    {10, Form::kAcross, {R(0), OtherW(1), R(1), OtherW(0)}, kObserved},
    {11, Form::kAcross, {W(0), OtherR(1), W(1), OtherR(0)}, kObserved},
};

// Extends a match step by step; who is who is fixed by the steps that have been
// placed.
class Placing {
 public:
  Placing(const Pattern& pattern, std::span<const UnitAccess> trace)
      : trace_(trace), match_{&pattern, {}} {}

  bool Place(size_t step, size_t from) {
    if (step == match_.pattern->num_steps()) return true;
    for (size_t i = from; i < trace_.size(); ++i) {
      if (!Fits(step, trace_[i])) continue;
      match_.at[step] = i;
      if (Place(step + 1, i + 1)) return true;
    }
    return false;
  }
  const Match& match() const { return match_; }

 private:
  bool Fits(size_t step, const UnitAccess& access) const {
    const PatternStep& wanted = match_.pattern->steps[step];
    if (access.way != wanted.way) return false;
    for (size_t i = 0; i < step; ++i) {
      const UnitAccess& placed = trace_[match_.at[i]];
      const PatternStep& as = match_.pattern->steps[i];
      const bool one_unit = as.side == wanted.side;
      if ((placed.unit == access.unit) != one_unit) return false;
      if (!one_unit && placed.thread == access.thread) return false;
      const bool one_location = as.location == wanted.location;
      if ((placed.location == access.location) != one_location) return false;
    }
    return true;
  }

  std::span<const UnitAccess> trace_;
  Match match_;
};

using Graph = std::map<uint32_t, std::set<uint32_t>>;

Graph ConflictsOf(std::span<const UnitAccess> trace) {
  Graph graph;
  for (size_t i = 0; i < trace.size(); ++i) {
    for (size_t j = i + 1; j < trace.size(); ++j) {
      const UnitAccess& a = trace[i];
      const UnitAccess& b = trace[j];
      const bool conflict = a.location == b.location && a.unit != b.unit &&
                            (a.way == Way::kWrite || b.way == Way::kWrite);
      if (conflict) graph[a.unit].insert(b.unit);
    }
  }
  return graph;
}

// Whether a path from the last of `path` comes back to its first.
bool Closes(Graph& graph, std::vector<uint32_t>& path,
            std::set<uint32_t>& seen) {
  for (const uint32_t next : graph[path.back()]) {
    if (next == path.front()) return true;
    if (!seen.insert(next).second) continue;
    path.push_back(next);
    if (Closes(graph, path, seen)) return true;
    path.pop_back();
  }
  return false;
}

}  // namespace

std::span<const Pattern> Patterns() { return kPatterns; }

bool Matches(const Pattern& pattern, std::span<const UnitAccess> trace) {
  return Placing(pattern, trace).Place(0, 0);
}

std::optional<Match> FindMatch(std::span<const UnitAccess> trace) {
  for (const Pattern& pattern : kPatterns) {
    Placing placing(pattern, trace);
    if (placing.Place(0, 0)) return placing.match();
  }
  return {};
}

std::vector<uint32_t> FindCycle(std::span<const UnitAccess> trace) {
  Graph graph = ConflictsOf(trace);
  std::vector<uint32_t> units;
  for (const auto& [unit, after] : graph) units.push_back(unit);
  for (const uint32_t unit : units) {
    std::vector<uint32_t> path = {unit};
    std::set<uint32_t> seen;
    if (Closes(graph, path, seen)) return path;
  }
  return {};
}

}  // namespace fairlead::analysis::asset
