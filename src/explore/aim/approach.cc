#include "explore/aim/approach.h"

#include <algorithm>
#include <iterator>

namespace fairlead::explore {

Approach::Approach(finding::Target target, std::vector<std::string> functions)
    : target_(std::move(target)), functions_(std::move(functions)) {
  functions_.resize(target_.steps.size());
}

bool Approach::Misses() const {
  const uint32_t all = (uint32_t{1} << target_.steps.size()) - 1;
  return (in_sight_ & all) != all;
}

uint64_t Approach::num_plain_attempts() const {
  return target_.success == finding::Success::kDeadlock ? 3 : 2;
}

Prepared Approach::AsItIs(uint64_t attempt) const {
  Prepared prepared = {target_, {}};
  for (size_t i = 0; i < target_.steps.size(); ++i) prepared.own.push_back(i);
  if (target_.success != finding::Success::kDeadlock || attempt == 0) {
    return prepared;
  }
  std::vector<uint32_t> taken;  // steps that take a lock
  for (size_t i = 0; i < target_.steps.size(); ++i) {
    if (target_.steps[i].phase == finding::Phase::kComplete) {
      taken.push_back(static_cast<uint32_t>(i));
    }
  }
  if (taken.size() < 2) return prepared;
  std::ranges::rotate(taken, taken.begin() + static_cast<ptrdiff_t>(
                                                 (attempt - 1) % taken.size()));
  for (size_t i = 1; i < taken.size(); ++i) {
    prepared.target.edges.push_back(
        {.before = taken[i - 1], .after = taken[i], .precondition = true});
  }
  return prepared;
}

// The target's own reads ahead of a step may be what decides whether it comes:
// by what they see, of which some values lead there and others do not.
std::optional<Prepared> Approach::NextValue(size_t step) {
  constexpr finding::ValueIs kValues[] = {finding::ValueIs::kNonzero,
                                          finding::ValueIs::kZero};
  for (size_t read = step; read-- > 0;) {
    const finding::TargetStep& each = target_.steps[read];
    if (each.thread != target_.steps[step].thread ||
        each.operation != finding::Operation::kRead ||
        each.value != finding::ValueIs::kAny) {
      continue;
    }
    if (num_values_ == std::size(kValues)) return {};
    Prepared prepared = AsItIs();
    prepared.target.steps[read].value = kValues[num_values_++];
    prepared.anew = true;
    return prepared;
  }
  return {};
}

std::optional<Prepared> Approach::Next() {
  for (size_t step = 0; step < target_.steps.size(); ++step) {
    if ((in_sight_ >> step & 1) != 0) continue;
    // What differs where it was come to says more.
    if (num_proposed_ != 0 || !WasReached(target_, step, seen_)) {
      if (std::optional<Prepared> valued = NextValue(step)) return valued;
    }
    const auto proposal =
        Propose(target_, step, functions_[step], seen_, num_proposed_);
    if (!proposal) continue;
    ++num_proposed_;
    return WithPreconditions(target_, step, *seen_[proposal->from],
                             proposal->preconditions);
  }
  return {};
}

abi::TargetProgress OwnProgress(abi::TargetProgress progress,
                                const std::vector<size_t>& own) {
  for (uint64_t* steps : {&progress.done, &progress.best, &progress.in_sight,
                          &progress.other_context, &progress.other_object,
                          &progress.other_value, &progress.other_thread}) {
    uint64_t mapped = 0;
    for (size_t i = 0; i < own.size(); ++i) {
      if ((*steps >> own[i] & 1) != 0) mapped |= uint64_t{1} << i;
    }
    *steps = mapped;
  }
  return progress;
}

}  // namespace fairlead::explore
