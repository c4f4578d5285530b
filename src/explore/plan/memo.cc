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

void MemoEntry::TakePlaces(const PlaceFacts& places) {
  library = IsLibrary(root, places);
}

Memo::News Memo::Learn(const IRootsSeen& seen, const PlaceFacts& facts,
                       uint64_t nanoseconds) {
  News news;
  AddPlaces(facts);
  for (const IRoot& root : seen.exposed) {
    MemoEntry& entry = EntryOf(root);
    if (!Show(entry)) continue;
    ++news.exposed;
    news.surprises += !entry.predicted && root.idiom <= last_idiom_;
  }
  for (const auto& [root, candidate] : seen.predicted) {
    if (root.idiom > last_idiom_) continue;
    MemoEntry& entry = EntryOf(root);
    if (!entry.predicted) entry.candidate.occurrences = candidate.occurrences;
    entry.candidate.Add(candidate);
    news.predicted += Predict(entry);
  }
  EndExecution(nanoseconds);
  return news;
}

bool IsLibrary(const IRoot& root, const PlaceFacts& facts) {
  return std::ranges::any_of(root.used(), [&](const iroot::Step& step) {
    const auto fact = facts.find(step.place);
    return fact != facts.end() && fact->second.library;
  });
}

std::optional<size_t> Memo::Next(MemoOrder order, bool libraries, bool late) {
  std::optional<size_t> best;
  uint64_t best_rank = 0;
  for (size_t i = 0; i < entries().size(); ++i) {
    const MemoEntry& entry = entries()[i];
    if (entry.exposed() || !entry.predicted || entry.under_way) continue;
    if (Rests(entry) != late) continue;
    if (late && entry.attempts_here >= kAttemptsHere + kLateAttempts) continue;
    const uint64_t rank = RankOf(entry, order);
    if (best && rank >= best_rank) continue;
    if (!libraries && entry.library) continue;
    best = i;
    best_rank = rank;
  }
  if (best) Begin(*best);
  return best;
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
