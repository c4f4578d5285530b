#include "explore/approach.h"

namespace fairlead::explore {

Approach::Approach(finding::Target target, std::vector<std::string> functions)
    : target_(std::move(target)), functions_(std::move(functions)) {
  functions_.resize(target_.steps.size());
}

bool Approach::Misses() const {
  const uint32_t all = (uint32_t{1} << target_.steps.size()) - 1;
  return (in_sight_ & all) != all;
}

Prepared Approach::AsItIs() const {
  Prepared prepared = {target_, {}};
  for (size_t i = 0; i < target_.steps.size(); ++i) prepared.own.push_back(i);
  return prepared;
}

std::optional<Prepared> Approach::Next() {
  for (size_t step = 0; step < target_.steps.size(); ++step) {
    if ((in_sight_ >> step & 1) != 0) continue;
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
  for (uint16_t* steps : {&progress.done, &progress.best, &progress.in_sight,
                          &progress.other_context, &progress.other_object,
                          &progress.other_value, &progress.other_thread}) {
    uint16_t mapped = 0;
    for (size_t i = 0; i < own.size(); ++i) {
      if ((*steps >> own[i] & 1) != 0) mapped |= static_cast<uint16_t>(1u << i);
    }
    *steps = mapped;
  }
  return progress;
}

}  // namespace fairlead::explore
