#include "explore/plan/maple_planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "explore/aim/iroot_target.h"
#include "explore/plan/steady_planner.h"
#include "explore/run/seeds.h"
#include "explore/run/target_record.h"
#include "explore/watch/iroot_watch.h"
#include "sched/director_strategy.h"

namespace fairlead::explore {
namespace {

using sched::StrategyId;

// Of the other planner's executions, those that are watched: to watch all would
// cost it half of its executions.
constexpr uint64_t kWatchEvery = 4;

// Its turns for each of ours: what it finds is found at most half as late
// again as without us; and a fifth as late again once forcing has been in vain
// so many times in a row.
constexpr uint64_t kOthersTurns = 2;
constexpr uint64_t kOthersTurnsInVain = 5;
constexpr uint64_t kManyInVain = 12;

// At an iRoot, as the memo counts them; and with preconditions, after the last
// of those, where a step never came.
constexpr uint64_t kPlainAttempts = Memo::kAttemptsHere + Memo::kLateAttempts;
constexpr uint64_t kPreparedAttempts = 2;

}  // namespace

MaplePlanner::MaplePlanner(Memo& memo, MapleOptions options,
                           std::unique_ptr<Planner> other)
    : memo_(memo),
      options_(options),
      other_(std::move(other)),
      known_(memo.num_exposed() != 0) {}

Planned MaplePlanner::Begin(Planned planned, Begun begun) {
  planned.number = number_++;
  begun_[planned.number] = begun;
  return planned;
}

Planned MaplePlanner::Profile() {
  Planned planned;
  planned.strategy =
      Informed(DefaultSpec(StrategyId::kPctLarge), learnt_, planned.weights);
  planned.seed =
      SeedOf(options_.seed, SeedFor::kProfile, num_profiled_ + num_profiling_);
  planned.watch.Want(IRootWatch::kId, IRootsWanted::kPredictedShared);
  // What leads to places is known from one of them.
  if (num_profiled_ + num_profiling_ == 0) {
    planned.watch.Want(AttemptObserver::kId);
  }
  planned.sites = Sites::kUnsettled;
  ++num_profiling_;
  return Begin(std::move(planned), {.part = Part::kProfile});
}

// What the last plain attempt has shown serves the prepared ones: they come
// first.
std::optional<size_t> MaplePlanner::NextToForce(bool late) {
  if (!late) return memo_.Next(options_.order, options_.libraries, false);
  if (const std::optional<size_t> index = std::exchange(pursued_, {})) {
    memo_.Begin(*index);
    return index;
  }
  return memo_.Next(options_.order, options_.libraries, true);
}

Attempts& MaplePlanner::AttemptsAt(size_t index) {
  if (const auto known = attempts_.find(index); known != attempts_.end()) {
    return known->second;
  }
  const MemoEntry& entry = memo_.entries()[index];
  finding::Target target = TargetOf(entry.root, memo_.facts());
  std::vector<std::string> functions;
  for (const finding::TargetStep& step : target.steps) {
    const auto fact = memo_.facts().find(step.anchor);
    functions.push_back(fact == memo_.facts().end() ? ""
                                                    : fact->second.function);
  }
  const AttemptPolicy policy = {.most = kPlainAttempts + kPreparedAttempts,
                                .made = entry.attempts_here,
                                .as_it_is = kPlainAttempts,
                                // There are too many for all to be watched.
                                .watch_from = kPlainAttempts - 1};
  Attempts& attempts =
      attempts_
          .try_emplace(index, std::move(target), std::move(functions), policy)
          .first->second;
  if (reference_ != nullptr) attempts.Learn(reference_);
  return attempts;
}

std::optional<Planned> MaplePlanner::Force(bool late) {
  const std::optional<size_t> index = NextToForce(late);
  if (!index) return {};
  const MemoEntry& entry = memo_.entries()[*index];
  std::optional<Attempt> attempt = AttemptsAt(*index).Next();
  if (!attempt) {  // nothing is known that could lead there
    attempts_.erase(*index);
    memo_.Release(*index);
    return Force(late);
  }
  Planned planned;
  planned.strategy = DefaultSpec(StrategyId::kDirector);
  planned.strategy.params[0] =
      attempt->base | sched::DirectorStrategy::kArbitrates;
  planned.seed = SeedOf(options_.seed, SeedFor::kIRoot, entry.attempts);
  finding::Target& target = attempt->prepared.target;
  // The paper's attempts take whichever pass over a place comes; of ours, every
  // second one does.
  const bool as_seen =
      options_.order == MemoOrder::kSuspicion && attempt->number % 2 == 0;
  if (as_seen && attempt->prepared.own.size() == target.steps.size()) {
    target.steps[0].occurrence = entry.candidate.occurrences[0];
  }
  planned.target.push_back(RecordOf(target));
  planned.target.back().inside_only = !entry.candidate.after_outside;
  planned.watch.Want(IRootWatch::kId, IRootsWanted::kExposed);
  if (attempt->watch) planned.watch.Want(AttemptObserver::kId);
  planned.sites = Sites::kUnsettled;
  planned.aim = std::make_shared<finding::Aim>(
      finding::Aim{.target = std::move(target),
                   .sentence = SentenceOf(entry.root, memo_.facts())});
  ++num_forced_;
  return Begin(std::move(planned), {.part = Part::kForce, .index = *index});
}

void MaplePlanner::LearnForced(const Begun& begun, const Observed& observed) {
  if (observed.end == Observed::End::kFailed) {
    // Stays under way: not again in this campaign.
    attempts_.erase(begun.index);
    ++num_realised_;
    num_in_vain_ = 0;
    return;
  }
  Attempts& attempts = AttemptsAt(begun.index);
  const SeenPointer* seen = observed.By<AttemptObserver>();
  attempts.Learn(
      {.progress = observed.target, .seen = seen != nullptr ? *seen : nullptr});
  const MemoEntry& entry = memo_.entries()[begun.index];
  // What the observer saw counts, too, and has been counted.
  const bool exposed = entry.exposed();
  // The director goes by what it sees of the program; only of a deadlock, which
  // is over before the observer could tell, its word is enough.
  const bool realised =
      observed.target.success != 0 && entry.root.is_deadlock();
  num_realised_ += realised || exposed;
  num_in_vain_ = realised || exposed ? 0 : num_in_vain_ + 1;
  if (exposed) {
    memo_.Release(begun.index);
  } else {
    memo_.Learn(begun.index, realised);
  }
  const bool goes_on = seen != nullptr && !exposed && !realised && !pursued_ &&
                       attempts.state() == Attempts::State::kOpen &&
                       attempts.Misses();
  if (goes_on) {
    pursued_ = begun.index;
  } else {
    attempts_.erase(begun.index);
  }
}

std::optional<Planned> MaplePlanner::Own() {
  // Beside a portfolio turns are few: what is suspicious does not wait for the
  // last candidate.
  if (other_ != nullptr && num_forced_ < num_profiled_) {
    if (std::optional<Planned> planned = Force(false)) return planned;
  }
  // The memo has been told the execution that the campaign began with, which is
  // a quiet one if it left nothing to force; of a program that nobody knows it
  // says little, as it does not preempt.
  if (known_ && num_profiled_ + num_profiling_ == 0 && memo_.num_open() == 0) {
    num_quiet_ = 1;
  }
  if (num_quiet_ < kQuiet) {
    // Those under way may be the last ones.
    if (num_quiet_ + num_profiling_ < kQuiet) return Profile();
    if (other_ == nullptr && num_profiling_ != 0) return {};
  }
  if (std::optional<Planned> planned = Force(false)) return planned;
  if (num_profiling_ != 0 || !options_.late) return {};
  return Force(true);
}

std::optional<Planned> MaplePlanner::Other() {
  if (other_ == nullptr) return {};
  std::optional<Planned> planned = other_->Next();
  if (!planned) return {};
  const uint64_t inner = planned->number;
  if (!planned->watch.Wants(IRootWatch::kId) && inner % kWatchEvery == 0) {
    planned->watch.Want(IRootWatch::kId, IRootsWanted::kExposed);
  }
  return Begin(*std::move(planned), {.part = Part::kOther, .inner = inner});
}

std::optional<Planned> MaplePlanner::Next() {
  const uint64_t turns =
      num_in_vain_ < kManyInVain ? kOthersTurns : kOthersTurnsInVain;
  const bool own_turn = other_ == nullptr || others_in_a_row_ >= turns;
  if (own_turn) {
    others_in_a_row_ = 0;  // a turn that is not taken is not owed
    if (std::optional<Planned> planned = Own()) return planned;
  }
  if (std::optional<Planned> planned = Other()) {
    ++others_in_a_row_;
    return planned;
  }
  return own_turn ? std::nullopt : Own();
}

void MaplePlanner::Learn(const Planned& planned, const Observed& observed) {
  const auto found = begun_.find(planned.number);
  if (found == begun_.end()) return;
  const Begun begun = found->second;
  begun_.erase(found);
  Memo::News news;
  // What an execution that fails exposes is to be tried again once the bug is
  // said to be fixed: it is not remembered.
  const bool failed = observed.end == Observed::End::kFailed;
  const IRootsSeen* seen = observed.By<IRootWatch>();
  if (seen != nullptr && !failed) {
    news = memo_.Learn(*seen, *seen->facts, observed.nanoseconds);
  }
  // Then the profiles did not show all there is to predict: one more, and more
  // if it brings something.
  if (begun.part != Part::kProfile && news.surprises != 0) {
    num_quiet_ = std::min(num_quiet_, kQuiet - 1);
  }
  switch (begun.part) {
    case Part::kProfile:
      --num_profiling_;
      ++num_profiled_;
      num_quiet_ = news.predicted == 0 ? num_quiet_ + 1 : 0;
      learnt_.Learn(observed);
      if (const SeenPointer* whole = observed.By<AttemptObserver>()) {
        reference_ = *whole;
      }
      return;
    case Part::kForce:
      LearnForced(begun, observed);
      return;
    case Part::kOther: {
      Planned theirs = planned;
      theirs.number = begun.inner;
      Observed told = observed;
      told.other_news = news.exposed;
      other_->Learn(theirs, told);
      return;
    }
  }
}

bool MaplePlanner::exhausted() const {
  return begun_.empty() && (other_ == nullptr || other_->exhausted());
}

uint64_t MaplePlanner::num_behaviours() const {
  return other_ != nullptr ? other_->num_behaviours() : memo_.num_exposed();
}

std::vector<Planner::Share> MaplePlanner::shares() const {
  std::vector<Share> shares;
  if (other_ != nullptr) shares = other_->shares();
  shares.push_back({"iroot-profile", num_profiled_, 0});
  shares.push_back({"iroot-force", num_forced_, num_realised_});
  return shares;
}

std::string MaplePlanner::Remark() const {
  return other_ != nullptr ? other_->Remark() : "";
}

}  // namespace fairlead::explore
