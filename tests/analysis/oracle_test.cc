// Races by their definition, on random traces: all pairs of accesses are looked
// at, with the order of tests/order/definition.h and the locks held by a plain
// walk back.

#include <gtest/gtest.h>

#include <set>

#include "analysis/predictor/predictor.h"
#include "analysis/race/hybrid.h"
#include "analysis/race/race.h"
#include "tests/analysis/plain_facts.h"
#include "tests/order/definition.h"
#include "tests/order/trace_maker.h"
#include "trace/text.h"

namespace fairlead::analysis {
namespace {

using trace::Event;
using trace::EventKind;
using trace::Trace;
// Of a race: where, the earlier event, the later one.
using Meeting = std::tuple<uint64_t, uint64_t, uint64_t>;

bool WritesOrFrees(const Event& event) {
  return event.kind == EventKind::kFree ||
         order::Writes(order::AccessOf(event));
}

// The first common byte; none when they touch different ones.
std::optional<uint64_t> Common(const Event& a, const Event& b) {
  const uint64_t bytes = b.kind == EventKind::kFree ? b.value : b.size;
  const uint64_t first = std::max(a.address, b.address);
  const uint64_t end = std::min(a.address + a.size, b.address + bytes);
  if (first >= end) return {};
  return first;
}

bool KeptApart(const Events& events, size_t i, size_t j) {
  return Exclude(HeldAt(events, i), HeldAt(events, j));
}

enum class Locks { kAreOrder, kAreLocks };

std::set<Meeting> ByDefinition(const Trace& trace, Locks locks) {
  const Events& events = trace.events;
  const order::Definition definition(trace, locks == Locks::kAreOrder
                                                ? order::kFullOrder
                                                : order::kWithoutLocks);
  std::set<Meeting> meetings;
  for (size_t j = 0; j < events.size(); ++j) {
    const bool frees = events[j].kind == EventKind::kFree;
    if (!frees && !IsAccess(events[j])) continue;
    for (size_t i = 0; i < j; ++i) {
      if (!IsAccess(events[i]) || events[i].tid == events[j].tid) continue;
      if (!WritesOrFrees(events[i]) && !WritesOrFrees(events[j])) continue;
      if (order::IsAtomic(events[i]) && order::IsAtomic(events[j])) continue;
      const auto common = Common(events[i], events[j]);
      if (!common || !Lives(events, i, j) || definition.Before(i, j)) continue;
      if (locks == Locks::kAreLocks && KeptApart(events, i, j)) continue;
      meetings.insert({*common, events[i].seq, events[j].seq});
    }
  }
  return meetings;
}

template <typename OneAnalysis>
std::set<Meeting> Reported(const Trace& trace) {
  std::vector<std::unique_ptr<Analysis>> one;
  one.push_back(std::make_unique<OneAnalysis>());
  analysis::Predictor predictor(std::move(one));
  for (const Event& event : trace.events) predictor.OnEvent(event);
  std::set<Meeting> meetings;
  for (const Prediction& each : predictor.list().predictions()) {
    meetings.insert({each.addresses[0], each.spots[1].seq, each.spots[0].seq});
  }
  return meetings;
}

std::set<uint64_t> PlacesOf(const std::set<Meeting>& meetings) {
  std::set<uint64_t> places;
  for (const Meeting& each : meetings) places.insert(std::get<0>(each));
  return places;
}

void Judge(const Trace& trace, size_t& num_races) {
  const std::set<Meeting> races = ByDefinition(trace, Locks::kAreOrder);
  const std::set<Meeting> told = Reported<Race>(trace);
  EXPECT_TRUE(std::ranges::includes(races, told)) << trace::PrintTrace(trace);
  EXPECT_EQ(PlacesOf(told), PlacesOf(races)) << trace::PrintTrace(trace);
  num_races += races.size();
}

TEST(Race, HasThePrecisionOfFastTrack) {
  size_t num_races = 0;
  for (uint64_t seed = 1; seed <= 1500 && !HasFailure(); ++seed) {
    Judge(OwnSites(order::RandomTrace(seed, static_cast<uint16_t>(2 + seed % 3),
                                      40)),
          num_races);
  }
  EXPECT_GT(num_races, 1000u);
}

TEST(Race, AgreesWithTheDefinitionOnEverySmallTrace) {
  using order::Move;
  constexpr Move kMoves[] = {Move::kLock, Move::kUnlock, Move::kRead,
                             Move::kWrite};
  size_t num_races = 0;
  order::ForEachTrace(order::TraceMaker(2), kMoves, 6, [&](const Trace& trace) {
    if (!HasFailure()) Judge(OwnSites(trace), num_races);
  });
  EXPECT_GT(num_races, 1000u);
}

TEST(Hybrid, PredictsExactlyWhatItsDefinitionSays) {
  size_t num_races = 0;
  for (uint64_t seed = 1; seed <= 1500 && !HasFailure(); ++seed) {
    const Trace trace = OwnSites(
        order::RandomTrace(seed, static_cast<uint16_t>(2 + seed % 3), 40));
    // Within one segment only the first of a type is kept: with a site for each
    // event, every access is a type of its own.
    EXPECT_EQ(Reported<Hybrid>(trace), ByDefinition(trace, Locks::kAreLocks))
        << "seed " << seed << "\n"
        << trace::PrintTrace(trace);
    num_races += Reported<Hybrid>(trace).size();
  }
  EXPECT_GT(num_races, 1000u);
}

}  // namespace
}  // namespace fairlead::analysis
