#include "explore/plan/target_planner.h"

#include <algorithm>

#include "analysis/predicted_finding.h"
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
    foretold.finding = analysis::FindingOf(prediction, predicted.names);
    foretold.target = std::move(prediction.target);
    targets.push_back(std::move(foretold));
  }
  return targets;
}

namespace {

// A place that a thread comes to for several blocks: each attempt waits at
// another pass.
bool WaitsInABlock(const finding::Target& target) {
  return std::ranges::any_of(
      target.objects, [](const finding::ObjectRole& role) {
        return role.relation == finding::Relation::kInsideFreed;
      });
}

AttemptPolicy PolicyFor(const finding::Target& target) {
  const uint64_t plain = Approach(target, {}).num_plain_attempts();
  if (WaitsInABlock(target)) {
    return {.most = plain + TargetPlanner::kHeldAttempts,
            .watch_from = plain - 1,
            .fill = true};
  }
  // What comes of two units that are mixed depends on what goes on behind them.
  if (target.kind == "together") {
    return {.most = plain + TargetPlanner::kApartAttempts,
            .watch_from = plain - 1,
            .fill = true,
            .insist = true};
  }
  // What leads to a step is only asked for once it has been missed.
  return {.most = plain + TargetPlanner::kPreparedAttempts,
          .watch_from = plain - 1};
}

}  // namespace

TargetPlanner::TargetPlanner(std::vector<Foretold> targets, uint64_t seed,
                             SeenPointer reference)
    : seed_(seed) {
  if (targets.size() > kMaxTargets) targets.resize(kMaxTargets);
  for (Foretold& each : targets) {
    auto aim = std::make_shared<finding::Aim>(
        finding::Aim{.target = each.target,
                     .sentence = std::move(each.sentence),
                     .prediction = each.finding.fingerprint});
    const AttemptPolicy policy = PolicyFor(each.target);
    targets_.push_back({.attempts = Attempts(std::move(each.target),
                                             std::move(each.functions), policy),
                        .aim = std::move(aim)});
    if (reference != nullptr) targets_.back().attempts.Learn(reference);
  }
}

std::optional<Attempt> TargetPlanner::NextOf(Entry*& entry) {
  while (true) {
    // Those with the fewest attempts first, in the order of their prediction.
    entry = nullptr;
    for (Entry& each : targets_) {
      if (each.attempts.state() != Attempts::State::kOpen) continue;
      if (entry == nullptr ||
          each.attempts.num_made() < entry->attempts.num_made()) {
        entry = &each;
      }
    }
    if (entry == nullptr) return {};
    if (std::optional<Attempt> attempt = entry->attempts.Next()) return attempt;
  }
}

std::optional<Planned> TargetPlanner::Next() {
  Entry* entry = nullptr;
  const std::optional<Attempt> attempt = NextOf(entry);
  if (!attempt) return {};
  Planned planned;
  planned.number = number_++;
  planned.strategy = DefaultSpec(sched::StrategyId::kDirector);
  planned.strategy.params[0] = attempt->base;
  planned.seed = SeedOf(seed_, SeedFor::kTarget, attempt->number);
  planned.target.push_back(RecordOf(attempt->prepared.target));
  planned.flags |= PlanFlagsFor(attempt->prepared.target);
  planned.arm = static_cast<uint64_t>(entry - targets_.data());
  planned.aim = entry->aim;
  if (attempt->watch) planned.watch.Want(AttemptObserver::kId);
  if (entry->aim->target.kind == "together") {
    planned.watch.Want(WatcherId::kApart);
  }
  num_tried_ += attempt->number == 0;
  return planned;
}

void TargetPlanner::Learn(const Planned& planned, const Observed& observed) {
  Attempts& attempts = targets_[planned.arm].attempts;
  // A deadlock keeps its last steps from happening, and is there or is not:
  // threads that only came near it are no realisation without effect.
  const bool can_be_harmless =
      attempts.target().success == finding::Success::kOrder;
  const SeenPointer* seen = observed.By<AttemptObserver>();
  attempts.Learn({.progress = observed.target,
                  .realised = observed.target.success != 0 && can_be_harmless,
                  .failed = observed.end == Observed::End::kFailed,
                  .seen = seen != nullptr ? *seen : nullptr});
  num_realised_ += attempts.state() == Attempts::State::kFailed ||
                   attempts.state() == Attempts::State::kHarmless;
}

bool TargetPlanner::exhausted() const {
  return std::ranges::none_of(targets_, [](const Entry& entry) {
    return entry.attempts.state() == Attempts::State::kUnderWay ||
           entry.attempts.state() == Attempts::State::kOpen;
  });
}

std::vector<std::string> TargetPlanner::Harmless() const {
  std::vector<std::string> sentences;
  for (const Entry& entry : targets_) {
    if (entry.attempts.state() == Attempts::State::kHarmless) {
      sentences.push_back(entry.aim->sentence);
    }
  }
  return sentences;
}

}  // namespace fairlead::explore
