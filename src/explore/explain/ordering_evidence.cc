#include "explore/explain/ordering_evidence.h"

#include <set>

#include "base/patience.h"

namespace fairlead::explore {
namespace {

using finding::Count;
using finding::Target;

Result<Count> CountIf(Trials& trials, const std::optional<Target>& target,
                      uint64_t seeds) {
  if (!target) return Count{.possible = false};
  return CountForced(trials, &*target, seeds);
}

}  // namespace

Target ForcedPart(Target target) {
  std::set<uint32_t> used;
  for (const finding::TargetEdge& edge : target.edges) {
    used.insert(edge.before);
    used.insert(edge.after);
  }
  std::vector<uint32_t> index(target.steps.size());
  std::vector<finding::TargetStep> steps;
  for (const uint32_t step : used) {
    index[step] = static_cast<uint32_t>(steps.size());
    steps.push_back(target.steps[step]);
  }
  target.steps = std::move(steps);
  for (finding::TargetEdge& edge : target.edges) {
    edge.before = index[edge.before];
    edge.after = index[edge.after];
  }
  return target;
}

std::optional<Target> Released(const Target& target, size_t edge) {
  Target without = target;
  without.edges.erase(without.edges.begin() + static_cast<ptrdiff_t>(edge));
  if (without.edges.empty()) return {};
  without = ForcedPart(std::move(without));
  if (!finding::CheckTarget(without)) return {};
  return without;
}

std::optional<Target> Reversed(const Target& target, size_t edge) {
  Target reversed = ForcedPart(target);
  std::swap(reversed.edges[edge].before, reversed.edges[edge].after);
  // Steps of one thread are in order besides.
  Target whole = reversed;
  for (uint32_t i = 0; i < whole.steps.size(); ++i) {
    for (uint32_t j = i + 1; j < whole.steps.size(); ++j) {
      if (whole.steps[i].thread == whole.steps[j].thread) {
        whole.edges.push_back({.before = i, .after = j});
      }
    }
  }
  if (!finding::CheckTarget(whole)) return {};
  return reversed;
}

Result<Count> CountForced(Trials& trials, const Target* target,
                          uint64_t seeds) {
  std::optional<Target> forced;
  if (target != nullptr) forced = ForcedPart(*target);
  Count count;
  while (count.tried < seeds && !ShouldStop()) {
    const Result<Likeness> likeness =
        trials.Force(forced ? &*forced : nullptr, count.tried);
    if (!likeness) return likeness.error();
    if (*likeness == Likeness::kStopped) break;
    ++count.tried;
    count.failed += *likeness == Likeness::kSame;
  }
  return count;
}

Status CountEvidence(Trials& trials, finding::Ordering& ordering,
                     uint64_t seeds) {
  const Target& target = ordering.target;
  const Result<Count> all = CountForced(trials, &target, seeds);
  if (!all) return all.error();
  const Result<Count> none = CountForced(trials, nullptr, seeds);
  if (!none) return none.error();
  ordering.all = *all;
  ordering.none = *none;
  ordering.edges.clear();
  for (size_t i = 0; i < target.edges.size(); ++i) {
    // Where it is the only one, nothing is forced without it.
    const std::optional<Target> released = Released(target, i);
    const Result<Count> without = released
                                      ? CountForced(trials, &*released, seeds)
                                      : Result<Count>(*none);
    if (!without) return without.error();
    const Result<Count> turned = CountIf(trials, Reversed(target, i), seeds);
    if (!turned) return turned.error();
    ordering.edges.push_back({.released = *without, .reversed = *turned});
  }
  return {};
}

}  // namespace fairlead::explore
