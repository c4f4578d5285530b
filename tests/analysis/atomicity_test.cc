// Atomicity violations by their definition: all triples of accesses are looked
// at, with the order of tests/order/definition.h and the locks held by a plain
// walk back. On every small trace, and on random ones.

#include "analysis/atomicity/atomicity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "analysis/predictor/predictor.h"
#include "tests/analysis/plain_facts.h"
#include "tests/order/definition.h"
#include "tests/order/trace_maker.h"
#include "trace/text.h"

namespace fairlead::analysis {
namespace {

using order::AccessKind;

// Indices of the first access, the one between, and the second.
struct Triple {
  size_t first;
  size_t between;
  size_t second;
  bool seen;
  bool likely;
  auto operator<=>(const Triple&) const = default;
};
using Triples = std::set<Triple>;

// The table in the header. Of an update, the write counts; of one that comes
// second, the read that is ahead of it.
bool IsUnserialisable(AccessKind first, AccessKind other, AccessKind second) {
  const auto letter = [](AccessKind kind) {
    return order::Writes(kind) ? 'w' : 'r';
  };
  const std::string letters = {letter(first), letter(other),
                               order::Reads(second) ? 'r' : 'w'};
  return letters == "rwr" || letters == "wwr" || letters == "wrw" ||
         letters == "rww";
}

class AtomicityDefinition {
 public:
  explicit AtomicityDefinition(const Trace& trace)
      : events_(trace.events),
        weak_(trace, order::kWithoutLocks),
        loose_(trace, order::kWithoutMemory) {}

  Triples Find() const {
    Triples triples;
    for (size_t second = 0; second < events_.size(); ++second) {
      const size_t first = Predecessor(second);
      if (first == second || !Belong(first, second)) continue;
      for (size_t other = 0; other < events_.size(); ++other) {
        if (!MayComeBetween(first, other, second)) continue;
        triples.insert({first, other, second, first < other && other < second,
                        !MeantApart(first, second)});
      }
    }
    return triples;
  }

 private:
  bool Same(size_t i, size_t j) const {
    return events_[i].address == events_[j].address &&
           Lives(events_, std::min(i, j), std::max(i, j));
  }

  // The access to the same variable that its thread made last; itself if none.
  size_t Predecessor(size_t second) const {
    if (!IsAccess(events_[second])) return second;
    for (size_t i = second; i-- > 0;) {
      if (IsAccess(events_[i]) && events_[i].tid == events_[second].tid &&
          Same(i, second)) {
        return i;
      }
    }
    return second;
  }

  // Not the same place again, and close by.
  bool Belong(size_t first, size_t second) const {
    uint64_t instructions = 0;
    for (size_t i = first + 1; i <= second; ++i) {
      if (events_[i].tid == events_[second].tid) {
        instructions += events_[i].instructions;
      }
    }
    return order::SpotOf(events_[first]).key() !=
               order::SpotOf(events_[second]).key() &&
           instructions <= Atomicity::kWindow;
  }

  // The lock, if it is held from one event of a thread to another of it.
  Held HeldOver(size_t first, size_t second) const {
    for (size_t i = first + 1; i < second; ++i) {
      if (events_[i].tid != events_[first].tid) continue;
      if (events_[i].kind == EventKind::kUnlock ||
          events_[i].kind == EventKind::kWait) {
        return Held::kNot;
      }
    }
    return HeldAt(events_, first);
  }

  bool MayComeBetween(size_t first, size_t other, size_t second) const {
    if (!IsAccess(events_[other]) || events_[other].tid == events_[first].tid ||
        !Same(other, second) || !Same(other, first)) {
      return false;
    }
    const auto kind = [&](size_t i) { return order::AccessOf(events_[i]); };
    if (!IsUnserialisable(kind(first), kind(other), kind(second))) return false;
    if (Exclude(HeldOver(first, second), HeldAt(events_, other))) return false;
    const bool atomic = order::IsAtomic(events_[first]) &&
                        order::IsAtomic(events_[other]) &&
                        order::IsAtomic(events_[second]);
    return !(atomic ? loose_ : weak_)
                .Before(std::min(other, second), std::max(other, second));
  }

  bool MeantApart(size_t first, size_t second) const {
    return HeldOver(first, second) == Held::kNot &&
           Exclude(HeldAt(events_, first), HeldAt(events_, second)) &&
           !(order::AccessOf(events_[first]) == AccessKind::kRead &&
             order::Writes(order::AccessOf(events_[second])));
  }

  const Events& events_;
  order::Definition weak_;
  order::Definition loose_;
};

Triples Reported(const Trace& trace) {
  std::vector<std::unique_ptr<Analysis>> one;
  one.push_back(std::make_unique<Atomicity>());
  analysis::Predictor predictor(std::move(one));
  for (const Event& event : trace.events) predictor.OnEvent(event);
  Triples triples;
  for (const Prediction& each : predictor.list().predictions()) {
    triples.insert({each.spots[0].seq, each.spots[1].seq, each.spots[2].seq,
                    each.seen, each.likely});
  }
  return triples;
}

// Of each triple, its places: those of the same are told once.
std::set<std::array<uint64_t, 3>> PlacesOf(const Trace& trace,
                                           const Triples& triples) {
  const auto place = [&](size_t i) {
    return order::SpotOf(trace.events[i]).key();
  };
  std::set<std::array<uint64_t, 3>> places;
  for (const Triple& each : triples) {
    places.insert({place(each.first), place(each.between), place(each.second)});
  }
  return places;
}

// Few places, so that they come again, in one segment and in others.
Trace FewSites(Trace trace, uint32_t number) {
  for (Event& event : trace.events) {
    event.site = 1 + static_cast<uint32_t>(event.seq) % number;
  }
  return trace;
}

// One place for what is done under the lock, and another for the rest.
Trace SitesByLock(Trace trace) {
  for (size_t i = 0; i < trace.events.size(); ++i) {
    trace.events[i].site = HeldAt(trace.events, i) == Held::kNot ? 1 : 2;
  }
  return trace;
}

// With a site for each event every triple is told.
void JudgeAll(const Trace& trace, size_t& number) {
  const Triples triples = AtomicityDefinition(trace).Find();
  EXPECT_EQ(Reported(trace), triples) << trace::PrintTrace(trace);
  number += triples.size();
}

void JudgePlaces(const Trace& trace) {
  const Triples triples = AtomicityDefinition(trace).Find();
  const Triples told = Reported(trace);
  EXPECT_TRUE(std::ranges::includes(triples, told)) << trace::PrintTrace(trace);
  EXPECT_EQ(PlacesOf(trace, told), PlacesOf(trace, triples))
      << trace::PrintTrace(trace);
}

TEST(Atomicity, AgreesWithItsDefinitionOnEverySmallTrace) {
  using order::Move;
  constexpr Move kLocked[] = {Move::kLock, Move::kUnlock, Move::kRead,
                              Move::kWrite};
  constexpr Move kShared[] = {Move::kLockShared, Move::kUnlockShared,
                              Move::kLock, Move::kUnlock, Move::kWrite};
  constexpr Move kAtomic[] = {Move::kLoadAcquire, Move::kStoreRelease,
                              Move::kUpdateAcqRel};
  const std::pair<std::span<const Move>, size_t> families[] = {
      {kLocked, 6}, {kShared, 6}, {kAtomic, 5}};
  size_t number = 0;
  for (const auto& [moves, length] : families) {
    order::ForEachTrace(order::TraceMaker(2), moves, length,
                        [&](const Trace& trace) {
                          if (HasFailure()) return;
                          JudgeAll(OwnSites(trace), number);
                          JudgePlaces(trace);
                          JudgePlaces(FewSites(trace, 2));
                        });
  }
  EXPECT_GT(number, 1000u);
}

TEST(Atomicity, AgreesWithItsDefinitionOnRandomTraces) {
  size_t number = 0;
  for (uint64_t seed = 1; seed <= 1500 && !HasFailure(); ++seed) {
    const auto threads = static_cast<uint16_t>(2 + seed % 3);
    Trace trace = order::RandomTrace(seed, threads, 40);
    for (Event& event : trace.events) {
      event.instructions = seed % 2 == 0 ? 0 : event.seq * seed % 7 * 120;
    }
    JudgeAll(OwnSites(trace), number);
    JudgePlaces(trace);
    JudgePlaces(FewSites(trace, 3));
  }
  EXPECT_GT(number, 1000u);
}

// Sections of one lock, one after the other: places come again in other
// sections of the same segment.
TEST(Atomicity, AgreesWithItsDefinitionWhereSectionsComeAgain) {
  using order::Move;
  constexpr Move kMoves[] = {Move::kLock, Move::kUnlock, Move::kRead,
                             Move::kWrite};
  size_t number = 0;
  for (uint64_t seed = 1; seed <= 2000 && !HasFailure(); ++seed) {
    std::mt19937_64 random(seed);
    order::TraceMaker maker(2);
    while (maker.trace().events.size() < 24) {
      const auto thread = static_cast<uint16_t>(random() % 2);
      maker.Do(thread, kMoves[random() % std::size(kMoves)]);
    }
    JudgeAll(OwnSites(maker.trace()), number);
    JudgePlaces(SitesByLock(maker.trace()));
  }
  EXPECT_GT(number, 1000u);
}

}  // namespace
}  // namespace fairlead::analysis
