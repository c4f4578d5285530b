#include "explore/plan/chess_planner.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "explore/watch/profile.h"
#include "sched/conflict.h"

namespace fairlead::explore {
namespace {

using sched::StrategyId;

// Prefixes that wait, each with a switch for every deviation and those between:
// some hundred bytes; a gigabyte in all.
constexpr uint64_t kMaxWaiting = 2'000'000;

// Executions that look for shared accesses: Maple's detector runs until it has
// been stable for three.
constexpr uint64_t kProfiled = 3;

size_t ChosenOf(std::span<const abi::SeenRecord> choice) {
  for (size_t i = 0; i < choice.size(); ++i) {
    if ((choice[i].flags & abi::kSeenChosen) != 0) return i;
  }
  return choice.size();
}

// Options of one thread rather than threads.
bool IsOption(std::span<const abi::SeenRecord> choice) {
  return choice.size() > 1 && choice[0].thread == choice[1].thread;
}

bool IsRecorded(std::span<const abi::SeenRecord> choice, size_t index) {
  if (IsOption(choice)) return index != 0;
  return choice[index].thread != choice[index].running;
}

// Whether taking `index` preempts the thread that arrived.
bool Preempts(std::span<const abi::SeenRecord> choice, size_t index) {
  const abi::SeenRecord& taken = choice[index];
  if (IsOption(choice) || taken.thread == taken.running) return false;
  if ((taken.flags & abi::kSeenYielding) != 0) return false;
  return std::ranges::any_of(choice, [](const abi::SeenRecord& seen) {
    return seen.thread == seen.running;
  });
}

abi::ChoiceRecord RecordOf(std::span<const abi::SeenRecord> choice,
                           size_t index) {
  const abi::SeenRecord& seen = choice[index];
  return {.next = seen.thread,
          .left = seen.running,
          .count = seen.count,
          .anchor = seen.site,
          .option = IsOption(choice) ? static_cast<uint32_t>(seen.object) : 0,
          .way = seen.way};
}

// Whether an operation that goes first cannot make a switch dearer: one that
// lets others go on (a release, a signal) does, since leaving a thread that
// could go on is a preemption, and leaving one that must wait is none. Once
// somebody has been set aside for spinning, every change may do that.
bool MaySleep(const abi::SeenRecord& seen) {
  if ((seen.flags & abi::kSeenAside) != 0) return false;
  switch (seen.op) {
    case abi::EventKind::kRead:
    case abi::EventKind::kWrite:
    case abi::EventKind::kAtomicLoad:
    case abi::EventKind::kAtomicStore:
    case abi::EventKind::kRmw:
    case abi::EventKind::kCas:
    case abi::EventKind::kLock:
      return true;
    default:
      return false;
  }
}

bool IsAsleep(const std::vector<abi::Tid>& asleep, abi::Tid tid) {
  return std::ranges::find(asleep, tid) != asleep.end();
}

// Those whose order with what is taken matters sleep no longer; nor do those
// who could not go on any more.
void Wake(std::vector<abi::Tid>& asleep,
          std::span<const abi::SeenRecord> choice, size_t taken) {
  std::erase_if(asleep, [&](abi::Tid sleeper) {
    const auto found =
        std::ranges::find(choice, sleeper, &abi::SeenRecord::thread);
    return found == choice.end() ||
           sched::Conflict(found->op, abi::ObjId{found->object},
                           choice[taken].op, abi::ObjId{choice[taken].object});
  });
}

}  // namespace

ChessPlanner::ChessPlanner(uint64_t bound, SleepSets sleep_sets,
                           Profiling profiling)
    : bound_(std::min<uint64_t>(bound, 64)),
      sleep_sets_(sleep_sets),
      num_profiled_(profiling == Profiling::kOn ? kProfiled : 0),
      waiting_(bound_ + 1) {
  Enqueue({}, false);
}

std::optional<Planned> ChessPlanner::Next() {
  Planned planned;
  planned.strategy = DefaultSpec(StrategyId::kChess);
  planned.strategy.params[0] = bound_;
  if (number_ < num_profiled_) {
    planned.number = number_++;
    planned.sites = Sites::kAll;
    planned.watch.Want(Profiler::kId, ProfileOf::kRaces);
    planned.seed = planned.number;
    if (planned.number != 0) {
      planned.strategy = DefaultSpec(StrategyId::kPos);
    }
    return planned;
  }
  const auto level = std::ranges::find_if(
      waiting_, [](const auto& queue) { return !queue.empty(); });
  if (level == waiting_.end()) return std::nullopt;
  planned.number = number_++;
  planned.sites = Sites::kRacy;
  planned.flags = abi::kPlanPoints | abi::kPlanRecord | abi::kPlanFeatures;
  planned.prefix = level->front().prefix;
  under_way_.emplace(planned.number, std::move(level->front()));
  level->pop_front();
  --num_waiting_;
  return planned;
}

bool ChessPlanner::exhausted() const {
  return num_waiting_ == 0 && under_way_.empty();
}

void ChessPlanner::Learn(const Planned& planned, const Observed& observed) {
  behaviours_.Learn(observed.features);
  const auto found = under_way_.find(planned.number);
  if (found == under_way_.end()) return;  // a profile
  const Waiting parent = std::move(found->second);
  under_way_.erase(found);
  ++num_schedules_;
  Expand(parent, observed);
}

void ChessPlanner::Expand(const Waiting& parent, const Observed& observed) {
  std::vector<abi::Tid> asleep = parent.asleep;
  uint64_t branch = 0;       // choices so far
  uint64_t preemptions = 0;  // among them
  size_t num_recorded = 0;
  const std::span seen = observed.seen;
  for (size_t begin = 0; begin < seen.size();) {
    size_t end = begin;
    while (end < seen.size() && (seen[end].flags & abi::kSeenLast) == 0) ++end;
    if (end == seen.size()) break;  // untrusted: cut in the middle
    const Choice choice = seen.subspan(begin, end + 1 - begin);
    begin = end + 1;
    const size_t chosen = ChosenOf(choice);
    if (chosen == choice.size() || num_recorded > observed.choices.size()) {
      ++num_strayed_;
      return;
    }
    ++branch;
    if ((choice[0].flags & abi::kSeenAside) != 0) asleep.clear();
    if (branch > parent.branch) {
      Branch(choice, chosen, branch, preemptions,
             observed.choices.first(num_recorded), asleep);
    }
    if (Preempts(choice, chosen)) ++preemptions;
    if (IsRecorded(choice, chosen)) ++num_recorded;
    if (branch == parent.branch && (num_recorded != parent.prefix.size() ||
                                    preemptions != parent.preemptions)) {
      ++num_strayed_;
      return;
    }
    if (branch <= parent.branch || IsOption(choice)) continue;
    if (IsAsleep(asleep, choice[chosen].thread)) {
      // From here on it repeats an order that others show.
      ++num_repeated_;
      --num_schedules_;
      return;
    }
    Wake(asleep, choice, chosen);
  }
  if (branch < observed.steps || observed.end == Observed::End::kCut) {
    ++num_cut_;
  }
}

void ChessPlanner::Branch(Choice choice, size_t chosen, uint64_t branch,
                          uint64_t preemptions,
                          std::span<const abi::ChoiceRecord> before,
                          const std::vector<abi::Tid>& asleep) {
  const abi::SeenRecord& went_on = choice[chosen];
  const bool sleeps = sleep_sets_ == SleepSets::kOn && !IsOption(choice) &&
                      went_on.thread == went_on.running && MaySleep(went_on);
  for (size_t i = 0; i < choice.size(); ++i) {
    if (i == chosen || !IsRecorded(choice, i)) continue;
    if (!IsOption(choice) && IsAsleep(asleep, choice[i].thread)) {
      continue;
    }
    const bool preempts = Preempts(choice, i);
    if (preemptions + (preempts ? 1 : 0) > bound_) continue;
    Waiting child = {.prefix = {before.begin(), before.end()},
                     .asleep = asleep,
                     .branch = branch,
                     .preemptions = preemptions + (preempts ? 1 : 0)};
    child.prefix.push_back(RecordOf(choice, i));
    if (sleeps) child.asleep.push_back(went_on.thread);
    if (!IsOption(choice)) Wake(child.asleep, choice, i);
    Enqueue(std::move(child), preempts);
  }
}

// Children of the same level go on at once, so that few of them wait; those of
// the next one wait in order.
void ChessPlanner::Enqueue(Waiting child, bool preempts) {
  if (num_waiting_ == kMaxWaiting) {
    ++num_left_out_;
    return;
  }
  ++num_waiting_;
  std::deque<Waiting>& queue = waiting_[child.preemptions];
  if (preempts) {
    queue.push_back(std::move(child));
  } else {
    queue.push_front(std::move(child));
  }
}

std::vector<Planner::Share> ChessPlanner::shares() const {
  return {{"chess", number_, 0}};
}

std::string ChessPlanner::Remark() const {
  std::string text;
  if (exhausted() && num_left_out_ + num_strayed_ + num_cut_ == 0) {
    text = fmt::format("all schedules with at most {} have been run: {}",
                       Counted(bound_, "preemption"),
                       Counted(num_schedules_, "schedule"));
  } else {
    text = fmt::format("schedules with at most {}: {} run, {} known to be left",
                       Counted(bound_, "preemption"), num_schedules_,
                       num_waiting_ + under_way_.size() + num_left_out_);
  }
  if (num_repeated_ != 0) {
    text += fmt::format("; {} more repeated an order that had been seen",
                        Counted(num_repeated_, "execution"));
  }
  if (num_strayed_ != 0) {
    text += fmt::format("; {} did not follow the plan",
                        Counted(num_strayed_, "execution"));
  }
  if (num_cut_ != 0) {
    text += fmt::format("; {} too long to be known whole",
                        Counted(num_cut_, "execution"));
  }
  return text;
}

}  // namespace fairlead::explore
