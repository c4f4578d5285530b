#include "analysis/sharing/sharing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "analysis/sharing/progress.h"
#include "analysis/sharing/settled.h"

namespace fairlead::analysis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using trace::Event;
using trace::EventKind;
using trace::Tid;

constexpr Tid kMain = Tid::kMain;
constexpr Tid kA = static_cast<Tid>(1);
constexpr Tid kB = static_cast<Tid>(2);
constexpr uint64_t kX = 0x1000;
constexpr uint64_t kY = 0x2000;

// Feeds accesses of 4 bytes; every site has its own node of the same number.
class Lab {
 public:
  explicit Lab(order::EdgeSet edges = kKeptEdges) : sharing_(edges) {}

  Lab& Fork() { return Feed(kMain, EventKind::kFork, 0, 0, 0); }
  Lab& Read(Tid tid, uint64_t address, uint32_t site) {
    return Feed(tid, EventKind::kRead, address, site, 4);
  }
  Lab& Write(Tid tid, uint64_t address, uint32_t site) {
    return Feed(tid, EventKind::kWrite, address, site, 4);
  }
  Lab& Feed(Tid tid, EventKind kind, uint64_t address, uint32_t site,
            uint64_t size) {
    Event event;
    event.tid = tid;
    event.kind = kind;
    event.address = address;
    event.site = site;
    event.node = site;
    event.size = size;
    event.value = kind == EventKind::kFree ? size : 0;
    event.flags = abi::kFlagInstrumented;
    sharing_.OnEvent(event);
    locked_.OnEvent(event);
    progress_.OnEvent(event);
    walks_.OnEvent(event);
    return *this;
  }
  const Sharing& operator*() const { return sharing_; }
  std::vector<uint32_t> Settled() {
    return SettledSites(sharing_, locked_, progress_, walks_);
  }
  // Reads or writes so many neighbours.
  Lab& Walk(Tid tid, EventKind kind, uint64_t address, uint32_t site,
            uint64_t locations) {
    for (uint64_t i = 0; i < locations; ++i) {
      Feed(tid, kind, address + 4 * i, site, 4);
    }
    return *this;
  }

 private:
  Sharing sharing_;
  Sharing locked_{kLockEdges};
  Progress progress_;
  Walks walks_;
};

TEST(Sharing, AnotherThreadsReadOfAWrittenPlaceSharesBothSites) {
  Lab lab;
  lab.Fork().Write(kA, kX, 1).Read(kB, kX, 2).Read(kA, kY, 3);
  EXPECT_THAT((*lab).SharedSites(), ElementsAre(1, 2));
  EXPECT_THAT((*lab).UnsharedSites(), ElementsAre(3));
}

TEST(Sharing, ReadersAloneShareNothing) {
  Lab lab;
  lab.Fork().Read(kA, kX, 1).Read(kB, kX, 2);
  EXPECT_THAT((*lab).SharedSites(), IsEmpty());
}

TEST(Sharing, TheFirstWriteAfterTwoReadersSharesThemAll) {
  Lab lab;
  lab.Fork().Read(kA, kX, 1).Read(kB, kX, 2).Write(kA, kX, 3);
  EXPECT_THAT((*lab).SharedSites(), ElementsAre(1, 2, 3));
}

TEST(Sharing, ASharedPlaceSharesEverySiteThatComesLater) {
  Lab lab;
  lab.Fork().Write(kA, kX, 1).Read(kB, kX, 2).Read(kA, kX, 9);
  EXPECT_THAT((*lab).SharedSites(), ElementsAre(1, 2, 9));
}

TEST(Sharing, WhatMainWritesBeforeTheFirstThreadIsNotShared) {
  Lab lab;
  lab.Write(kMain, kX, 1).Fork().Read(kA, kX, 2).Read(kB, kX, 3);
  EXPECT_THAT((*lab).SharedSites(), IsEmpty());
  EXPECT_THAT((*lab).UnsharedSites(), ElementsAre(1, 2, 3));
}

TEST(Sharing, FreedMemoryStartsAgain) {
  Lab lab;
  lab.Fork().Write(kA, kX, 1).Feed(kA, EventKind::kFree, kX, 0, 16);
  lab.Read(kB, kX, 2);
  EXPECT_THAT((*lab).SharedSites(), IsEmpty());
}

TEST(Sharing, FreeingIsAWrite) {
  Lab lab;
  lab.Fork().Read(kA, kX, 1).Read(kB, kY, 2);
  lab.Feed(kB, EventKind::kFree, kX, 0, 8);  // A may come too late another time
  lab.Feed(kB, EventKind::kFree, kY, 0, 8);
  EXPECT_THAT((*lab).SharedSites(), ElementsAre(1));
}

TEST(Sharing, RangesTouchEveryCellTheyCover) {
  Lab lab;
  lab.Fork().Feed(kA, EventKind::kWrite, kX, 1, 64).Read(kB, kX + 60, 2);
  EXPECT_THAT((*lab).SharedSites(), ElementsAre(1, 2));
}

TEST(Sharing, OfALongRangeEveryByteCounts) {
  constexpr uint64_t kLong = 200'000;
  Lab lab;
  lab.Fork().Feed(kA, EventKind::kWrite, kX, 1, kLong);
  lab.Read(kB, kX + kLong - 4, 2);
  EXPECT_THAT((*lab).SharedSites(), ElementsAre(1, 2));
}

TEST(Sharing, NeighboursAreNotShared) {
  Lab lab;
  lab.Fork().Write(kA, kX, 1).Write(kB, kX + 4, 2).Write(kA, kX, 1);
  EXPECT_THAT((*lab).SharedSites(), IsEmpty());
  // Until somebody touches both.
  lab.Feed(kB, EventKind::kRead, kX, 3, 8);
  EXPECT_THAT((*lab).SharedSites(), ElementsAre(1, 3));
}

TEST(Sharing, APartGoesOnWithTheReadersOfTheWhole) {
  Lab lab;
  lab.Fork().Feed(kA, EventKind::kRead, kX, 1, 8);
  lab.Feed(kB, EventKind::kRead, kX, 2, 8);
  lab.Write(kA, kX, 3).Write(kB, kX + 4, 4);
  EXPECT_THAT((*lab).SharedSites(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT((*lab).OrderedSites(), IsEmpty());
}

TEST(Sharing, AFailedCompareAndSwapOnlyReads) {
  Lab lab;
  lab.Fork().Feed(kA, EventKind::kCas, kX, 1, 4);
  lab.Feed(kB, EventKind::kCas, kX, 2, 4);
  EXPECT_THAT((*lab).SharedSites(), IsEmpty());
}

TEST(Sharing, NodesOfSilencedSitesDoNotMatter) {
  Lab lab;
  lab.Fork().Write(kA, kX, 1).Read(kB, kX, 2).Read(kA, kY, 3);
  lab.Feed(kA, EventKind::kLock, kY, 5, 0);
  EXPECT_THAT((*lab).NodesThatMatter(), ElementsAre(0, 1, 2, 5));
}

// Both threads pass the barrier at `at`: nobody leaves before all have come.
void PassBarrier(Lab& lab, uint64_t at) {
  for (const Tid tid : {kA, kB}) {
    lab.Feed(tid, EventKind::kBarrierWait, at, 0, 0);
  }
  for (const Tid tid : {kA, kB}) {
    lab.Feed(tid, EventKind::kBarrierDone, at, 0, 0);
  }
}

TEST(Sharing, SitesOnEitherSideOfABarrierAreOrdered) {
  Lab lab;
  lab.Fork().Write(kA, kX, 1);
  PassBarrier(lab, kY);
  lab.Read(kB, kX, 2);
  EXPECT_THAT((*lab).SharedSites(), ElementsAre(1, 2));
  EXPECT_THAT((*lab).OrderedSites(), ElementsAre(1, 2));
}

TEST(Sharing, AConcurrentAccessUnordersEverySiteOfItsPlace) {
  Lab lab;
  lab.Fork().Write(kA, kX, 1);
  PassBarrier(lab, kY);
  lab.Read(kB, kX, 2).Write(kA, kX, 3).Read(kB, kX, 4);
  lab.Write(kA, kX + 64, 5);
  PassBarrier(lab, kY);
  lab.Read(kB, kX + 64, 6).Read(kB, kX, 7);
  EXPECT_THAT((*lab).OrderedSites(), ElementsAre(5, 6));
}

TEST(Sharing, EveryReaderMustBeOrderedBeforeAWrite) {
  Lab lab;
  lab.Fork().Write(kMain, kX, 1);
  lab.Feed(kMain, EventKind::kFork, 0, 0, 0);
  lab.Read(kA, kX, 2).Read(kMain, kX, 3);
  PassBarrier(lab, kY);
  lab.Write(kB, kX, 4);  // main's read may come later
  EXPECT_THAT((*lab).OrderedSites(), IsEmpty());
}

TEST(Sharing, ALockOrdersNothingForGood) {
  Lab lab;
  lab.Fork();
  for (const Tid tid : {kA, kB}) {
    lab.Feed(tid, EventKind::kLock, kY, 0, 0);
    lab.Write(tid, kX, 1);
    lab.Feed(tid, EventKind::kUnlock, kY, 0, 0);
  }
  EXPECT_THAT((*lab).OrderedSites(), IsEmpty());
}

// One thread increments under a lock, then another one; site 5 is an atomic.
Lab LockedIncrements(order::EdgeSet edges) {
  Lab lab(edges);
  lab.Fork();
  for (const Tid tid : {kMain, kA}) {
    lab.Feed(tid, EventKind::kLock, 0x900, 0, 0);
    lab.Read(tid, 0x100, 1).Write(tid, 0x100, 2);
    lab.Feed(tid, EventKind::kRmw, 0x200, 5, 4);
    lab.Feed(tid, EventKind::kUnlock, 0x900, 0, 0);
  }
  lab.Write(kMain, 0x300, 3).Write(kA, 0x300, 4);
  return lab;
}

TEST(Sharing, LocksOrderNothingThatEveryScheduleKeeps) {
  const Lab lab = LockedIncrements(kKeptEdges);
  EXPECT_THAT((*lab).OrderedSites(), IsEmpty());
}

TEST(Sharing, WhatLocksKeepApartDoesNotRace) {
  const Lab lab = LockedIncrements(kLockEdges);
  EXPECT_THAT((*lab).OrderedSites(), ElementsAre(1, 2, 5));
  EXPECT_THAT((*lab).OrderedPlainSites(), ElementsAre(1, 2));
}

// Rounds of a loop that reads kX and writes a place of its own, or nothing.
std::set<std::pair<uint32_t, uint32_t>> PairsOf(int rounds, bool works) {
  Progress progress;
  for (int round = 0; round < rounds; ++round) {
    Event event;
    event.tid = kA;
    event.size = 4;
    event.flags = abi::kFlagInstrumented;
    event.kind = EventKind::kAtomicLoad;
    event.address = kX;
    event.site = 1;
    progress.OnEvent(event);
    if (!works) continue;
    event.kind = EventKind::kWrite;
    event.address = kY + 4u * static_cast<uint64_t>(round);
    event.site = 2;
    event.flags |= abi::kFlagWrites;
    progress.OnEvent(event);
  }
  return progress.pairs();
}

TEST(Progress, AWriteInALoopThatRereadsShowsThatItDoesNotSpin) {
  EXPECT_THAT(PairsOf(10, true), ElementsAre(std::pair(1u, 2u)));
}

TEST(Progress, AFewRoundsAreNoMatter) {
  EXPECT_THAT(PairsOf(4, true), IsEmpty());
}

TEST(Progress, ASpinHasNone) { EXPECT_THAT(PairsOf(100, false), IsEmpty()); }

constexpr uint64_t kMany = 4 * Walks::kLocations;

TEST(SettledSites, AreWalksOverABuffer) {
  Lab lab;
  lab.Fork().Walk(kA, EventKind::kWrite, kX, 1, kMany);
  lab.Walk(kB, EventKind::kRead, kX, 2, kMany);
  EXPECT_THAT((*lab).OrderedSites(), IsEmpty());
  EXPECT_THAT(lab.Settled(), ElementsAre(1, 2));
}

TEST(SettledSites, AreBusyAndDoNotRace) {
  for (const uint32_t rounds : {10u, Walks::kLocations}) {
    Lab lab;
    lab.Fork();
    for (uint32_t i = 0; i < rounds; ++i) {
      for (const Tid tid : {kA, kB}) {
        lab.Feed(tid, EventKind::kLock, kY, 0, 0);
        lab.Write(tid, kX, 1);
        lab.Feed(tid, EventKind::kUnlock, kY, 0, 0);
      }
    }
    EXPECT_EQ(lab.Settled().size(), rounds == 10 ? 0 : 1);
  }
}

TEST(SettledSites, AreNoFewLocationsThatRaceHoweverOften) {
  Lab lab;
  lab.Fork();
  for (int i = 0; i < 200; ++i) {
    lab.Walk(kA, EventKind::kWrite, kX, 1, 100);
    lab.Walk(kB, EventKind::kRead, kX, 2, 100);
  }
  EXPECT_THAT(lab.Settled(), IsEmpty());
}

TEST(SettledSites, AreThoseThatAnOrderKeeps) {
  Lab lab;
  lab.Fork().Write(kA, kX, 1).Write(kA, kX + 8, 2).Write(kA, kX + 16, 6);
  PassBarrier(lab, kY);
  for (uint32_t i = 0; i < Walks::kLocations; ++i) {
    lab.Read(kB, kX, 3).Read(kB, kX + 8, 4);
  }
  lab.Write(kA, kX + 8, 5);  // is too late to be ordered
  lab.Read(kB, kX + 16, 7);  // costs nothing
  EXPECT_THAT((*lab).SharedSites(), ElementsAre(1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT((*lab).OrderedSites(), ElementsAre(1, 3, 6, 7));
  EXPECT_THAT(lab.Settled(), ElementsAre(1, 3));
}

TEST(SettledSites, StayWithThoseThatTouchALocationTogether) {
  Lab lab;
  lab.Fork().Walk(kA, EventKind::kWrite, kX, 1, kMany);
  lab.Walk(kB, EventKind::kRead, kX, 2, kMany);
  lab.Read(kB, kX, 3);  // a single one
  EXPECT_THAT(lab.Settled(), IsEmpty());
}

TEST(SettledSites, AreNoneThatShowThatAReadIsNoSpin) {
  Lab lab;
  lab.Fork().Write(kB, kX, 5);
  // A walk, while a flag is looked at again and again.
  constexpr uint64_t kBuffer = 0x10000;
  for (uint64_t i = 0; i < kMany; ++i) {
    lab.Read(kA, kX, 1).Write(kA, kBuffer + 4 * i, 2);
  }
  lab.Walk(kB, EventKind::kRead, kBuffer, 3, kMany);
  EXPECT_THAT((*lab).SharedSites(), ElementsAre(1, 2, 3, 5));
  EXPECT_THAT(lab.Settled(), IsEmpty());
}

}  // namespace
}  // namespace fairlead::analysis
