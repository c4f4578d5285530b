#include "explore/plan/turns_planner.h"

namespace fairlead::explore {

std::optional<Planned> TurnsPlanner::From(Planner& planner) {
  std::optional<Planned> planned = planner.Next();
  if (!planned) return {};
  begun_[number_] = {.planner = &planner, .inner = planned->number};
  planned->number = number_++;
  return planned;
}

std::optional<Planned> TurnsPlanner::Next() {
  if (searched_ >= (targets_.has_untried() ? 1 : kSearchTurns)) {
    searched_ = 0;  // a turn that is not taken is not owed
    if (std::optional<Planned> planned = From(targets_)) return planned;
  }
  if (std::optional<Planned> planned = From(search_)) {
    ++searched_;
    return planned;
  }
  return From(targets_);
}

void TurnsPlanner::Learn(const Planned& planned, const Observed& observed) {
  const auto found = begun_.find(planned.number);
  if (found == begun_.end()) return;
  const Begun begun = found->second;
  begun_.erase(found);
  Planned theirs = planned;
  theirs.number = begun.inner;
  begun.planner->Learn(theirs, observed);
}

}  // namespace fairlead::explore
