#include "explore/plan/target_planner.h"

#include <algorithm>

#include "explore/aim/preconditions.h"
#include "explore/run/seeds.h"
#include "explore/run/target_record.h"

namespace fairlead::explore {

std::vector<Foretold> ForetoldBy(Predicted predicted) {
  std::vector<Foretold> targets;
  for (analysis::Prediction& prediction : predicted.predictions) {
    Foretold foretold = {
        .target = {},
        .sentence = analysis::SentenceOf(prediction, predicted.names)};
    for (finding::Where& where :
         analysis::PlacesOf(prediction, predicted.names)) {
      foretold.functions.push_back(std::move(where.function));
    }
    foretold.target = std::move(prediction.target);
    targets.push_back(std::move(foretold));
  }
  return targets;
}

TargetPlanner::TargetPlanner(std::vector<Foretold> targets, uint64_t seed,
                             SeenPointer reference)
    : seed_(seed) {
  if (targets.size() > kMaxTargets) targets.resize(kMaxTargets);
  for (Foretold& each : targets) {
    Entry entry = {
        .approach = Approach(std::move(each.target), std::move(each.functions)),
        .sentence = std::move(each.sentence)};
    if (reference != nullptr) entry.approach.Learn(reference);
    targets_.push_back(std::move(entry));
  }
}

std::optional<Prepared> TargetPlanner::Prepare(Entry& entry) {
  const uint64_t plain = entry.approach.num_plain_attempts();
  if (entry.attempts < plain) return entry.approach.AsItIs(entry.attempts);
  if (entry.attempts == plain + kPreparedAttempts) return {};
  return entry.approach.Next();
}

std::optional<Planned> TargetPlanner::Next() {
  while (true) {
    // Those with the fewest attempts first, in the order of their prediction.
    Entry* next = nullptr;
    for (Entry& entry : targets_) {
      if (entry.state != State::kOpen) continue;
      if (next == nullptr || entry.attempts < next->attempts) next = &entry;
    }
    if (next == nullptr) return {};
    const std::optional<Prepared> prepared = Prepare(*next);
    if (!prepared) {
      next->state = State::kGivenUp;
      continue;
    }
    Planned planned;
    planned.number = number_++;
    planned.strategy = DefaultSpec(sched::StrategyId::kDirector);
    planned.strategy.params[0] = prepared->anew ? 0 : next->attempts;
    planned.seed = SeedOf(seed_, SeedFor::kTarget, next->attempts);
    planned.target.push_back(RecordOf(prepared->target));
    planned.flags |= PlanFlagsFor(planned.target.back());
    planned.arm = static_cast<uint64_t>(next - targets_.data());
    planned.subject = next->sentence;
    // What leads to a step is only asked for once it has been missed.
    if (next->attempts + 1 >= next->approach.num_plain_attempts()) {
      planned.watch.Want(AttemptObserver::kId);
    }
    if (next->attempts++ == 0) ++num_tried_;
    next->own = prepared->own;
    next->state = State::kUnderWay;
    return planned;
  }
}

void TargetPlanner::Learn(const Planned& planned, const Observed& observed) {
  Entry& entry = targets_[planned.arm];
  entry.approach.Sighted(OwnProgress(observed.target, entry.own).in_sight);
  if (const SeenPointer* seen = observed.By<AttemptObserver>()) {
    entry.approach.Learn(*seen);
  }
  // A deadlock keeps its last steps from happening, and is there or is not:
  // threads that only came near it are no realisation without effect.
  const bool can_be_harmless =
      entry.approach.target().success == finding::Success::kOrder;
  if (observed.end == Observed::End::kFailed) {
    entry.state = State::kFailed;
  } else {
    entry.state = observed.target.success != 0 && can_be_harmless
                      ? State::kHarmless
                      : State::kOpen;
  }
  num_realised_ += entry.state != State::kOpen;
  const uint64_t plain = entry.approach.num_plain_attempts();
  if (entry.attempts >= plain && entry.state == State::kOpen &&
      (!entry.approach.Misses() ||
       entry.attempts == plain + kPreparedAttempts)) {
    entry.state = State::kGivenUp;
  }
}

bool TargetPlanner::exhausted() const {
  return std::ranges::none_of(targets_, [](const Entry& entry) {
    return entry.state == State::kUnderWay || entry.state == State::kOpen;
  });
}

std::vector<std::string> TargetPlanner::Harmless() const {
  std::vector<std::string> sentences;
  for (const Entry& entry : targets_) {
    if (entry.state == State::kHarmless) sentences.push_back(entry.sentence);
  }
  return sentences;
}

}  // namespace fairlead::explore
