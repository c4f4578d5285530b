#include "order/sections.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "trace/text.h"

namespace fairlead::order {
namespace {

using trace::Trace;

constexpr uint64_t kX = 0x1000;
constexpr uint64_t kMutexes[] = {0x2000, 0x2008};
constexpr uint64_t kCondvar = 0x3000;

// Two threads take two locks, nested or not, wait, and touch 16 bytes in pieces
// that overlap; sometimes the memory goes.
class Maker {
 public:
  explicit Maker(uint64_t seed) : random_(seed) {}

  Trace Make(size_t length) {
    while (trace_.events.size() < length) Step();
    return std::move(trace_);
  }

 private:
  Event& Add(Tid tid, EventKind kind, uint64_t address) {
    Event event;
    event.seq = trace_.events.size();
    event.tid = tid;
    event.kind = kind;
    event.address = address;
    trace_.events.push_back(event);
    return trace_.events.back();
  }

  void Step() {
    const Tid tid{static_cast<uint16_t>(random_() % 2)};
    const size_t which = random_() % 2;
    bool& held = held_[abi::Index(tid)][which];
    switch (random_() % 10) {
      case 0:
      case 1:
        Add(tid, held ? EventKind::kUnlock : EventKind::kLock, kMutexes[which]);
        held = !held;
        return;
      case 2:
        if (!held) return;
        Add(tid, EventKind::kWait, kCondvar).partner =
            trace::Partner{tid, kMutexes[which]};
        if (random_() % 2 == 0) Access(tid);  // of a signal handler
        Add(tid, EventKind::kWaitDone, kCondvar).partner =
            trace::Partner{tid, kMutexes[which]};
        return;
      case 3:
        if (random_() % 8 == 0) Add(tid, EventKind::kFree, kX).value = 8;
        return;
      default:
        Access(tid);
        return;
    }
  }

  void Access(Tid tid) {
    constexpr uint32_t kSizes[] = {1, 2, 4, 8, 8, 8};
    Event& event =
        Add(tid, random_() % 2 == 0 ? EventKind::kRead : EventKind::kWrite,
            kX + random_() % 9);
    event.size = kSizes[random_() % std::size(kSizes)];
  }

  std::mt19937_64 random_;
  Trace trace_;
  bool held_[2][2] = {};
};

bool Touches(const Event& event, uint64_t byte) {
  return AccessOf(event) != AccessKind::kNone && byte >= event.address &&
         byte - event.address < event.size;
}
bool Ends(const Event& event, uint64_t byte) {
  return event.kind == EventKind::kFree && byte >= event.address &&
         byte - event.address < event.value;
}
bool Takes(const Event& event, uint64_t lock) {
  return (event.kind == EventKind::kLock && event.address == lock) ||
         (event.kind == EventKind::kWaitDone && event.partner->object == lock);
}
bool Gives(const Event& event, uint64_t lock) {
  return (event.kind == EventKind::kUnlock && event.address == lock) ||
         (event.kind == EventKind::kWait && event.partner->object == lock);
}

// By definition: whether, going from `at` in direction `step` through its
// thread's section of `lock`, no other access to the byte comes.
bool IsOutermost(const Trace& trace, size_t at, uint64_t byte, uint64_t lock,
                 int step) {
  const Tid tid = trace.events[at].tid;
  for (size_t i = at + step; i < trace.events.size(); i += step) {
    const Event& event = trace.events[i];
    if (Ends(event, byte)) return true;
    if (event.tid != tid) continue;
    if (step < 0 ? Takes(event, lock) : Gives(event, lock)) return true;
    if (Touches(event, byte)) return false;
  }
  return true;
}

// Compares with the definition, and counts what it is told.
struct Judge {
  const Trace& trace;
  std::map<std::pair<uint64_t, uint64_t>, int> undecided = {};
  size_t num_inner = 0;  // neither first nor last in some section

  void OnAccess(uint64_t address, const SectionAccess& access) {
    ++undecided[{address, access.spot.seq}];
    for (size_t i = 0; i < access.sections().size(); ++i) {
      const HeldLock& each = access.sections()[i];
      EXPECT_EQ(access.FirstIn(i),
                IsOutermost(trace, access.spot.seq, address, each.lock, -1))
          << "first, event " << access.spot.seq << "\n"
          << trace::PrintTrace(trace);
    }
  }
  void OnDecided(uint64_t address, const SectionAccess& access, uint32_t last) {
    undecided.erase({address, access.spot.seq});
    for (size_t i = 0; i < access.sections().size(); ++i) {
      const HeldLock& each = access.sections()[i];
      const bool is_last = (last >> i & 1) != 0;
      EXPECT_EQ(is_last,
                IsOutermost(trace, access.spot.seq, address, each.lock, +1))
          << "last, event " << access.spot.seq << "\n"
          << trace::PrintTrace(trace);
      if (!is_last && !access.FirstIn(i)) ++num_inner;
    }
  }
};

TEST(SectionAccesses, AgreeWithTheDefinitionOnRandomTraces) {
  size_t num_inner = 0;
  for (uint64_t seed = 1; seed <= 500 && !testing::Test::HasFailure(); ++seed) {
    const Trace trace = Maker(seed).Make(60);
    Judge judge = {trace};
    Locksets locks;
    SectionAccesses sections;
    for (const Event& event : trace.events) {
      locks.OnEvent(event);
      sections.OnEvent(event, locks, judge);
    }
    sections.OnEnd(judge);
    EXPECT_TRUE(judge.undecided.empty());
    num_inner += judge.num_inner;
  }
  EXPECT_GT(num_inner, 100u);
}

// Silent visitor, for tests that ask for single accesses.
struct Nobody {
  void OnAccess(uint64_t, const SectionAccess&) {}
  void OnDecided(uint64_t, const SectionAccess&, uint32_t) {}
};

TEST(SectionAccesses, TheNewestMayBeTheLastUntilItsSectionIsOver) {
  Result<Trace> trace = trace::ParseTraceUntrusted(
      "a: lock m\n"
      "a: write x\n"
      "a: unlock m\n"
      "a: lock m\n"
      "a: write x\n");
  ASSERT_TRUE(trace.has_value());
  Nobody nobody;
  Locksets locks;
  SectionAccesses sections;
  std::vector<uint32_t> first;
  std::vector<uint32_t> ended;
  std::vector<uint64_t> numbers;
  for (const Event& event : trace->events) {
    locks.OnEvent(event);
    sections.OnEvent(event, locks, nobody);
    const SectionAccess* newest =
        sections.NewestOf(trace->events[1].address, event.tid);
    if (newest == nullptr) continue;
    first.push_back(newest->first);
    ended.push_back(EndedSections(*newest, locks));
    numbers.push_back(newest->sections()[0].section);
  }
  EXPECT_EQ(first, (std::vector<uint32_t>{1, 1, 1, 1}));
  EXPECT_EQ(ended, (std::vector<uint32_t>{0, 1, 1, 0}));
  EXPECT_EQ(numbers, (std::vector<uint64_t>{1, 1, 1, 2}));
}

}  // namespace
}  // namespace fairlead::order
