#include "analysis/race/seen_races.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::analysis {
namespace {

using abi::MemoryOrder;
using testing::IsEmpty;
using testing::SizeIs;
using trace::Event;
using trace::EventKind;
using trace::Tid;
using Proof = SeenRace::Proof;

constexpr Tid kMain = Tid::kMain;
constexpr Tid kA = static_cast<Tid>(1);
constexpr Tid kB = static_cast<Tid>(2);
constexpr Tid kC = static_cast<Tid>(3);
constexpr uint64_t kX = 0x1000;
constexpr uint64_t kFlag = 0x2000;
constexpr uint64_t kLock = 0x3000;

// An execution in which main has created A, B and C. Accesses are of 4 bytes.
class Lab {
 public:
  explicit Lab(bool complete = true) : races_(complete) {
    for (const Tid tid : {kA, kB, kC}) {
      Feed(kMain, EventKind::kFork, 0, 0, abi::Index(tid));
    }
    for (const Tid tid : {kA, kB, kC}) Feed(tid, EventKind::kBegin, 0, 0);
  }

  Lab& Read(Tid tid, uint64_t address, uint32_t flags = 0) {
    return Feed(tid, EventKind::kRead, address, flags);
  }
  Lab& Write(Tid tid, uint64_t address, uint32_t flags = 0) {
    return Feed(tid, EventKind::kWrite, address, flags | abi::kFlagWrites);
  }
  // An access to a word of eight bytes.
  Lab& Word(Tid tid, EventKind kind, uint64_t address, uint64_t value) {
    size_ = 8;
    Feed(tid, kind, address, kind == EventKind::kWrite ? abi::kFlagWrites : 0,
         value);
    size_ = 4;
    return *this;
  }
  Lab& Load(Tid tid, uint64_t address, MemoryOrder order) {
    return Feed(tid, EventKind::kAtomicLoad, address,
                static_cast<uint32_t>(order));
  }
  Lab& Store(Tid tid, uint64_t address, MemoryOrder order) {
    return Feed(tid, EventKind::kAtomicStore, address,
                static_cast<uint32_t>(order));
  }
  // Anything that is no access: a point that the thread has passed.
  Lab& Step(Tid tid, uint32_t flags = 0) {
    return Feed(tid, EventKind::kYield, 0, flags);
  }
  Lab& Feed(Tid tid, EventKind kind, uint64_t address, uint32_t flags,
            uint64_t value = 0) {
    Event event;
    event.seq = seq_++;
    event.tid = tid;
    event.kind = kind;
    event.address = address;
    event.site = static_cast<uint32_t>(event.seq) + 1;
    event.size = size_;
    event.value = value;
    event.flags =
        static_cast<uint16_t>(flags | abi::kFlagInstrumented | abi::kFlagPoint);
    races_.OnEvent(event);
    return *this;
  }
  // Every thread goes on, and ends.
  std::vector<SeenRace> Finish(uint32_t flags = 0) {
    for (const Tid tid : {kA, kB, kC}) Feed(tid, EventKind::kEnd, 0, flags);
    return races_.Finish();
  }

 private:
  uint64_t seq_ = 0;
  uint8_t size_ = 4;
  SeenRaces races_;
};

TEST(SeenRaces, NothingOrdersThem) {
  const auto races = Lab().Write(kA, kX).Step(kB).Read(kB, kX).Finish();
  ASSERT_THAT(races, SizeIs(1));
  EXPECT_EQ(races[0].proof, Proof::kUnordered);
  EXPECT_TRUE(races[0].matters());
  EXPECT_EQ(races[0].earlier.tid, kA);
  EXPECT_EQ(races[0].later.tid, kB);
  EXPECT_EQ(races[0].address, kX);
}

TEST(SeenRaces, WhoHasEndedWentNowhere) {
  Lab lab;
  lab.Write(kA, kX).Feed(kA, EventKind::kEnd, 0, 0).Step(kB);
  const auto races = lab.Read(kB, kX).Finish();
  ASSERT_THAT(races, SizeIs(1));
  EXPECT_EQ(races[0].proof, Proof::kUnordered);
}

TEST(SeenRaces, TwoReadsAreNone) {
  EXPECT_THAT(Lab().Read(kA, kX).Read(kB, kX).Finish(), IsEmpty());
}

TEST(SeenRaces, BothStoodBeforeThem) {
  // B has come to its read before A writes: whatever happened out there came
  // before.
  const auto races = Lab()
                         .Step(kA, abi::kFlagForeign)
                         .Step(kB, abi::kFlagForeign)
                         .Write(kA, kX)
                         .Read(kB, kX)
                         .Finish(abi::kFlagForeign);
  ASSERT_THAT(races, SizeIs(1));
  EXPECT_EQ(races[0].proof, Proof::kTogether);
}

TEST(SeenRaces, RelaxedAtomicsOrderNothing) {
  const auto ordered = [](MemoryOrder store, MemoryOrder load) {
    return Lab()
        .Write(kA, kX)
        .Store(kA, kFlag, store)
        .Load(kB, kFlag, load)
        .Read(kB, kX)
        .Finish()
        .empty();
  };
  EXPECT_TRUE(ordered(MemoryOrder::kRelease, MemoryOrder::kAcquire));
  EXPECT_TRUE(ordered(MemoryOrder::kSeqCst, MemoryOrder::kSeqCst));
  EXPECT_FALSE(ordered(MemoryOrder::kRelaxed, MemoryOrder::kAcquire));
  EXPECT_FALSE(ordered(MemoryOrder::kRelease, MemoryOrder::kRelaxed));
}

TEST(SeenRaces, SpinningOnARelaxedAtomicIsNoSynchronisation) {
  constexpr MemoryOrder kRelaxed = MemoryOrder::kRelaxed;
  Lab lab;
  for (int i = 0; i < 3; ++i) lab.Load(kB, kFlag, kRelaxed);
  lab.Write(kA, kX).Store(kA, kFlag, kRelaxed).Load(kB, kFlag, kRelaxed);
  const auto races = lab.Read(kB, kX).Finish();
  ASSERT_THAT(races, SizeIs(1));
  EXPECT_TRUE(races[0].matters());
}

TEST(SeenRaces, LocksOrder) {
  const auto locked = [](Lab& lab, Tid tid) {
    lab.Feed(tid, EventKind::kLock, kLock, 0, 1).Write(tid, kX);
    lab.Feed(tid, EventKind::kUnlock, kLock, 0);
  };
  Lab lab;
  locked(lab, kA);
  locked(lab, kB);
  EXPECT_THAT(lab.Finish(), IsEmpty());
}

TEST(SeenRaces, TheLocksThatWereHeldAreTold) {
  const auto races = Lab()
                         .Feed(kA, EventKind::kLock, kLock, 0, 1)
                         .Write(kA, kX)
                         .Step(kB)
                         .Read(kB, kX)
                         .Finish();
  ASSERT_THAT(races, SizeIs(1));
  EXPECT_THAT(races[0].earlier_locks, testing::ElementsAre(kLock));
  EXPECT_THAT(races[0].later_locks, IsEmpty());
}

struct ForeignCase {
  std::string name;
  uint32_t ahead_a, behind_a, ahead_b, at_b;  // flags
  Proof proof;
};

// Where threads have been in code of others.
TEST(SeenRaces, CodeOfOthersMayOrder) {
  constexpr uint32_t kOut = abi::kFlagForeign;
  const ForeignCase kCases[] = {
      {"nobody", 0, 0, 0, 0, Proof::kUnordered},
      {"A before", kOut, 0, 0, 0, Proof::kUnordered},
      {"A in between", 0, kOut, 0, 0, Proof::kPossible},
      {"B in between", 0, 0, kOut, 0, Proof::kPossible},
      {"B right before", 0, 0, 0, kOut, Proof::kPossible},
  };
  for (const ForeignCase& each : kCases) {
    Lab lab;
    lab.Step(kA, each.ahead_a).Step(kB).Write(kA, kX).Step(kB, each.ahead_b);
    const auto races =
        lab.Read(kB, kX, each.at_b).Step(kA, each.behind_a).Finish();
    ASSERT_THAT(races, SizeIs(1)) << each.name;
    EXPECT_EQ(races[0].proof, each.proof) << each.name;
  }
}

// What A tells C by a lock, C may tell B where nobody looks.
TEST(SeenRaces, KnowledgePassesThroughOthers) {
  Lab lab;
  lab.Write(kA, kX).Feed(kA, EventKind::kSemPost, kLock, 0, 1);
  lab.Feed(kC, EventKind::kSemWait, kLock, abi::kFlagSuccess);
  lab.Step(kC, abi::kFlagForeign);
  lab.Step(kMain, abi::kFlagForeign);
  lab.Feed(kMain, EventKind::kSemPost, kFlag, 0, 1);
  lab.Feed(kB, EventKind::kSemWait, kFlag, abi::kFlagSuccess);
  const auto races = lab.Read(kB, kX).Finish();
  ASSERT_THAT(races, SizeIs(1));
  EXPECT_EQ(races[0].proof, Proof::kPossible);
}

TEST(SeenRaces, DescriptorsMayOrder) {
  const auto proof = [](uint64_t fd) {
    Lab lab;
    lab.Write(kA, kX).Feed(kA, EventKind::kUse, 0, 0, fd);
    lab.Feed(kB, EventKind::kUse, 0, 0, fd).Read(kB, kX);
    const auto races = lab.Finish();
    return races.size() == 1 ? races[0].proof : Proof::kTogether;
  };
  EXPECT_EQ(proof(5), Proof::kPossible);
  EXPECT_EQ(proof(1), Proof::kUnordered);  // what is printed
}

TEST(SeenRaces, WithIdleSitesOnlyThoseAtOnceCount) {
  auto races = Lab(false).Write(kA, kX).Step(kB).Read(kB, kX).Finish();
  ASSERT_THAT(races, SizeIs(1));
  EXPECT_EQ(races[0].proof, Proof::kPossible);
  races = Lab(false).Write(kA, kX).Read(kB, kX).Finish();
  ASSERT_THAT(races, SizeIs(1));
  EXPECT_EQ(races[0].proof, Proof::kTogether);
}

TEST(SeenRaces, VolatileOnlyIsARemark) {
  constexpr uint32_t kVolatile = abi::kFlagVolatile;
  auto races = Lab().Write(kA, kX, kVolatile).Read(kB, kX, kVolatile).Finish();
  ASSERT_THAT(races, SizeIs(1));
  EXPECT_FALSE(races[0].matters());
  // One access that is not, before or behind, and it is more.
  Lab lab;
  lab.Write(kA, kX, kVolatile).Read(kB, kX, kVolatile).Read(kC, kX);
  for (const SeenRace& race : lab.Finish()) {
    EXPECT_FALSE(race.all_volatile);
  }
}

// A spin lock: looked at as it is, taken by an atomic operation.
TEST(SeenRaces, VolatileAndAtomicIsARemark) {
  constexpr uint32_t kVolatile = abi::kFlagVolatile;
  Lab lab;
  lab.Store(kA, kX, MemoryOrder::kSeqCst).Read(kB, kX, kVolatile);
  lab.Write(kA, kX, kVolatile).Read(kB, kX, kVolatile);
  const auto races = lab.Finish();
  EXPECT_FALSE(races.empty());
  for (const SeenRace& race : races) EXPECT_TRUE(race.all_volatile);
}

// Who gives the sign has a pointer to it that does not say volatile.
TEST(SeenRaces, PlainWritesToVolatileFlagsOrderByHand) {
  constexpr uint32_t kVolatile = abi::kFlagVolatile;
  Lab lab;
  lab.Write(kB, kFlag, kVolatile);
  lab.Write(kA, kX).Write(kA, kFlag);
  lab.Read(kB, kFlag, kVolatile).Read(kB, kX);
  int on_x = 0;
  for (const SeenRace& race : lab.Finish()) {
    if (race.address != kX) continue;
    ++on_x;
    EXPECT_TRUE(race.by_hand);
  }
  EXPECT_EQ(on_x, 1);
}

TEST(SeenRaces, VolatileFlagsOrderByHand) {
  constexpr uint32_t kVolatile = abi::kFlagVolatile;
  Lab lab;
  lab.Write(kA, kX).Write(kA, kFlag, kVolatile);
  lab.Read(kB, kFlag, kVolatile).Read(kB, kX);
  for (const SeenRace& race : lab.Finish()) EXPECT_FALSE(race.matters());
}

TEST(SeenRaces, FreeingIsAWrite) {
  const auto races = Lab()
                         .Read(kA, kX)
                         .Step(kB)
                         .Feed(kB, EventKind::kFree, kX, 0, 16)
                         .Finish();
  ASSERT_THAT(races, SizeIs(1));
  EXPECT_EQ(races[0].later.kind, EventKind::kFree);
}

TEST(SeenRaces, AnInitialisedStaticIsOrderedByItsGuard) {
  Lab lab;
  lab.Feed(kA, EventKind::kOnceBegin, kFlag, abi::kFlagSuccess);
  lab.Write(kA, kX).Feed(kA, EventKind::kOnceDone, kFlag, 0);
  lab.Load(kB, kFlag, MemoryOrder::kAcquire).Read(kB, kX);
  // One who has waited for it.
  lab.Feed(kC, EventKind::kOnceBegin, kFlag, 0).Read(kC, kX);
  EXPECT_THAT(lab.Finish(), IsEmpty());
}

// As a destructor does with the pointer to its virtual table.
TEST(SeenRaces, WritesOfWhatIsThereChangeNothing) {
  constexpr uint64_t kTable = 0x7000, kOther = 0x7100;
  const auto changes_nothing = [](uint64_t written, bool read_first) {
    Lab lab;
    if (read_first) lab.Word(kA, EventKind::kRead, kX, kTable);
    lab.Word(kB, EventKind::kWrite, kX, written);
    if (!read_first) lab.Word(kA, EventKind::kRead, kX, written);
    const auto races = lab.Finish();
    EXPECT_THAT(races, SizeIs(1));
    return !races.empty() && races[0].changes_nothing;
  };
  EXPECT_TRUE(changes_nothing(kTable, true));
  EXPECT_FALSE(changes_nothing(kOther, true));
  EXPECT_TRUE(changes_nothing(kTable, false));  // as far as is known
}

TEST(SeenRaces, WhatWasThereBeforeThreadsIsKnown) {
  constexpr uint64_t kTable = 0x7000;
  SeenRaces races;
  uint64_t seq = 0;
  const auto feed = [&](Tid tid, EventKind kind, uint64_t address,
                        uint64_t value) {
    Event event;
    event.seq = seq++;
    event.tid = tid;
    event.kind = kind;
    event.address = address;
    event.value = value;
    event.size = 8;
    event.site = static_cast<uint32_t>(seq);
    event.flags = static_cast<uint16_t>(
        abi::kFlagInstrumented | abi::kFlagPoint |
        (kind == EventKind::kWrite ? abi::kFlagWrites : 0));
    races.OnEvent(event);
  };
  feed(kMain, EventKind::kWrite, kX, kTable);
  feed(kMain, EventKind::kFork, 0, 1);
  feed(kA, EventKind::kBegin, 0, 0);
  feed(kMain, EventKind::kWrite, kX, kTable);
  feed(kA, EventKind::kRead, kX, kTable);
  feed(kA, EventKind::kEnd, 0, 0);
  const std::vector<SeenRace> seen = races.Finish();
  ASSERT_THAT(seen, SizeIs(1));
  EXPECT_TRUE(seen[0].changes_nothing);
}

TEST(SeenRaces, AssemblyCountsAsAtomic) {
  constexpr auto kOrder = static_cast<uint32_t>(MemoryOrder::kSeqCst);
  EXPECT_THAT(Lab().Write(kA, kX, kOrder).Write(kB, kX, kOrder).Finish(),
              IsEmpty());
}

TEST(SeenRaces, BenignMemoryIsLeftAlone) {
  Lab lab;
  lab.Feed(kMain, EventKind::kBenign, kX, 0, 4);
  EXPECT_THAT(lab.Write(kA, kX).Write(kB, kX).Finish(), IsEmpty());
}

}  // namespace
}  // namespace fairlead::analysis
