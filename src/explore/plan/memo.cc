#include "explore/plan/memo.h"

#include <algorithm>
#include <cmath>

namespace fairlead::explore {
namespace {

namespace iroot = analysis::iroot;
using iroot::Operation;

// Whether no serial execution explains T1's two accesses with the other's in
// between (AVIO: Lu, Tucek, Qin and Zhou, ASPLOS 2006).
bool Unserialisable(Operation first, Operation between, Operation second) {
  if (between == Operation::kWrite) {
    return second == Operation::kRead || first == Operation::kRead;
  }
  return between == Operation::kRead && first == Operation::kWrite &&
         second == Operation::kWrite;
}

bool Unserialisable(const IRoot& root) {
  const auto& steps = root.steps;
  switch (root.idiom) {
    case 2:
      return Unserialisable(steps[0].operation, steps[1].operation,
                            steps[2].operation);
    case 3:
      return Unserialisable(steps[0].operation, steps[1].operation,
                            steps[3].operation) ||
             Unserialisable(steps[0].operation, steps[2].operation,
                            steps[3].operation);
    case 4:
    case 5:
      return steps[0].operation != Operation::kUnlock;
    default:
      return false;
  }
}

bool Rests(const MemoEntry& entry) {
  return entry.attempts_here >= Memo::kAttemptsHere ||
         entry.attempts >= Memo::kAttempts;
}

// The smaller the sooner.
uint64_t RankOf(const MemoEntry& entry, MemoOrder order) {
  const uint64_t library = entry.library;
  if (order == MemoOrder::kPaper) {
    return uint64_t{entry.root.idiom} << 32 | library << 31 | entry.attempts;
  }
  const uint64_t suspicion = SuspicionOf(entry.root, entry.candidate);
  return entry.attempts_here << 32 | library << 31 | (1024 - suspicion);
}

}  // namespace

uint64_t SuspicionOf(const IRoot& root, const Candidate& candidate) {
  uint64_t suspicion = 0;
  if (root.is_deadlock()) suspicion += 64;
  if (candidate.unlocked) suspicion += candidate.atomic ? 12 : 16;
  if (Unserialisable(root)) suspicion += 8;
  if (candidate.severe) suspicion += 4;
  if (root.idiom <= 3) suspicion += 2;
  return suspicion;
}

MemoEntry& Memo::EntryOf(const IRoot& root) {
  const auto [entry, fresh] = by_root_.try_emplace(root, entries_.size());
  if (fresh) {
    entries_.push_back({.root = root});
    entries_.back().library = IsLibrary(root, facts_);
  }
  MemoEntry& found = entries_[entry->second];
  found.changed = true;
  return found;
}

Memo::News Memo::Learn(const IRootsSeen& seen,
                       const std::map<uint64_t, SiteFacts>& facts,
                       uint64_t nanoseconds) {
  News news;
  for (const auto& [anchor, fact] : facts)
    facts_.insert_or_assign(anchor, fact);
  for (const IRoot& root : seen.exposed) {
    MemoEntry& entry = EntryOf(root);
    if (entry.exposures++ != 0) continue;
    ++news.exposed;
    news.surprises += !entry.predicted && root.idiom <= last_idiom_;
  }
  for (const auto& [root, candidate] : seen.predicted) {
    if (root.idiom > last_idiom_) continue;
    MemoEntry& entry = EntryOf(root);
    if (!entry.predicted && !entry.exposed() && !Rests(entry)) {
      ++news.predicted;
    }
    if (!entry.predicted) entry.candidate.occurrences = candidate.occurrences;
    entry.predicted = true;
    entry.candidate.Add(candidate);
  }
  ++executions_;
  nanoseconds_ += nanoseconds;
  exposed_ += news.exposed;
  if (news.exposed != 0) {
    growth_.push_back({executions_, nanoseconds_, exposed_});
  }
  return news;
}

bool IsLibrary(const IRoot& root, const std::map<uint64_t, SiteFacts>& facts) {
  return std::ranges::any_of(root.used(), [&](const iroot::Step& step) {
    const auto fact = facts.find(step.place);
    return fact != facts.end() && fact->second.library;
  });
}

std::optional<size_t> Memo::Next(MemoOrder order, bool libraries, bool late) {
  std::optional<size_t> best;
  uint64_t best_rank = 0;
  for (size_t i = 0; i < entries_.size(); ++i) {
    const MemoEntry& entry = entries_[i];
    if (entry.exposed() || !entry.predicted || entry.under_way) continue;
    if (Rests(entry) != late) continue;
    if (late && entry.attempts_here >= kAttemptsHere + kLateAttempts) continue;
    const uint64_t rank = RankOf(entry, order);
    if (best && rank >= best_rank) continue;
    if (!libraries && entry.library) continue;
    best = i;
    best_rank = rank;
  }
  if (best) entries_[*best].under_way = true;
  return best;
}

void Memo::Learn(size_t index, bool realised) {
  MemoEntry& entry = entries_[index];
  entry.under_way = false;
  entry.changed = true;
  if (!realised) {
    ++entry.attempts;
    ++entry.attempts_here;
  } else if (entry.exposures++ == 0) {
    ++exposed_;
    growth_.push_back({executions_, nanoseconds_, exposed_});
  }
}

void Memo::BeginInput() {
  for (MemoEntry& entry : entries_) {
    entry.changed |= entry.predicted || entry.attempts_here != 0;
    entry.predicted = false;
    entry.attempts_here = 0;
  }
}

void Memo::Merge(const Memo& other) {
  facts_.insert(other.facts_.begin(), other.facts_.end());
  for (const MemoEntry& theirs : other.entries_) {
    MemoEntry& entry = EntryOf(theirs.root);
    if (!entry.exposed() && theirs.exposed()) ++exposed_;
    entry.exposures += theirs.exposures;
    entry.attempts += theirs.attempts;
    entry.candidate.Add(theirs.candidate);
  }
  executions_ += other.executions_;
  nanoseconds_ += other.nanoseconds_;
  growth_.push_back({executions_, nanoseconds_, exposed_});
}

void Memo::Restore(std::vector<MemoEntry> entries,
                   std::map<uint64_t, SiteFacts> facts,
                   std::vector<Growth> growth) {
  *this = Memo();
  entries_ = std::move(entries);
  facts_ = std::move(facts);
  for (size_t i = 0; i < entries_.size(); ++i) {
    by_root_.emplace(entries_[i].root, i);
    exposed_ += entries_[i].exposed();
    entries_[i].kept_exposures = entries_[i].exposures;
    entries_[i].kept_attempts = entries_[i].attempts;
    entries_[i].library = IsLibrary(entries_[i].root, facts_);
  }
  growth_ = std::move(growth);
  kept_growth_ = growth_.size();
  if (growth_.empty()) return;
  executions_ = growth_.back().executions;
  nanoseconds_ = growth_.back().nanoseconds;
}

uint64_t Memo::num_open() const {
  return static_cast<uint64_t>(
      std::ranges::count_if(entries_, [&](const MemoEntry& entry) {
        return entry.predicted && !entry.exposed() && !Rests(entry);
      }));
}

std::vector<MemoEntry> Memo::TakeChanges() {
  std::vector<MemoEntry> changes;
  for (MemoEntry& entry : entries_) {
    if (!entry.changed) continue;
    entry.changed = false;
    changes.push_back(entry);
    entry.kept_exposures = entry.exposures;
    entry.kept_attempts = entry.attempts;
  }
  return changes;
}

std::vector<Memo::Growth> Memo::TakeGrowth() {
  // The last point says how long has been looked without anything new.
  const Growth now = {executions_, nanoseconds_, exposed_};
  if (executions_ != 0 && (growth_.empty() || growth_.back() != now)) {
    growth_.push_back(now);
  }
  const std::vector<Growth> since(
      growth_.begin() + static_cast<ptrdiff_t>(kept_growth_), growth_.end());
  kept_growth_ = growth_.size();
  return since;
}

// Chao's estimator for incidences (Chao, Biometrics 1987), and how many of the
// unseen come up in more executions (Chao et al., Ecological Monographs 2014).
// An execution is the unit of sampling, not an exposure: by Good and Turing the
// next one exposes once/executions new iRoots on average.
std::optional<Estimate> EstimateOf(const Memo& memo, double seconds) {
  if (memo.num_executions() < 2) return {};
  double once = 0;
  double twice = 0;
  for (const MemoEntry& entry : memo.entries()) {
    once += entry.exposures == 1;
    twice += entry.exposures == 2;
  }
  const auto executions = static_cast<double>(memo.num_executions());
  Estimate estimate;
  if (once == 0) return estimate;
  const double shrink = (executions - 1) / executions;
  estimate.unseen = twice > 0 ? shrink * once * once / (2 * twice)
                              : shrink * once * (once - 1) / 2;
  estimate.next = once / executions;
  if (memo.growth().empty() || memo.growth().back().nanoseconds == 0) {
    return estimate;
  }
  const double took =
      static_cast<double>(memo.growth().back().nanoseconds) / 1e9;
  const double more = seconds * executions / took;
  const double missed = 1 - once / (executions * estimate.unseen + once);
  estimate.in_time = estimate.unseen * (1 - std::pow(missed, more));
  return estimate;
}

}  // namespace fairlead::explore
