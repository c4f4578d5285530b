// The recorder against the definition, read literally, on every small trace.

#include "analysis/invariant/recorder.h"

#include <gtest/gtest.h>

namespace fairlead::analysis {
namespace {

using abi::EventKind;
using trace::Event;
using trace::Tid;

constexpr uint64_t kAddress = 0x1000;

// What a thread may do: sites are numbered by the move, so that a thread comes
// to a location by several sites, and two threads by the same.
struct Move {
  uint16_t thread;
  EventKind kind;
  uint64_t offset;
  uint64_t bytes;
  uint32_t site;
};
constexpr Move kMoves[] = {
    {0, EventKind::kRead, 0, 8, 1},  {0, EventKind::kWrite, 0, 4, 2},
    {1, EventKind::kRead, 0, 8, 1},  {1, EventKind::kWrite, 4, 4, 3},
    {2, EventKind::kWrite, 2, 4, 4}, {1, EventKind::kFree, 0, 8, 0},
};

Event EventOf(const Move& move, uint64_t seq) {
  Event event;
  event.seq = seq;
  event.tid = Tid{move.thread};
  event.kind = move.kind;
  event.site = move.site;
  event.address = kAddress + move.offset;
  const bool access = move.kind != EventKind::kFree;
  event.size = access ? move.bytes : 0;
  event.value = access ? 0 : move.bytes;
  return event;
}

bool Covers(const Event& event, uint64_t byte) {
  const uint64_t bytes =
      event.kind == EventKind::kFree ? event.value : event.size;
  return byte >= event.address && byte < event.address + bytes;
}

// The access of the same thread to that byte just before, if no other thread
// came between: how it came there.
abi::GuardHistory HistoryAt(const std::vector<Event>& events, size_t at,
                            uint64_t byte) {
  for (size_t i = at; i > 0; --i) {
    const Event& before = events[i - 1];
    if (!Covers(before, byte)) continue;
    if (before.kind == EventKind::kFree || before.tid != events[at].tid) break;
    return before.site == events[at].site ? abi::GuardHistory::kAgain
                                          : abi::GuardHistory::kNext;
  }
  return abi::GuardHistory::kFirst;
}

Predecessor DefinitionAt(const std::vector<Event>& events, size_t at,
                         uint64_t byte) {
  for (size_t i = at; i > 0; --i) {
    const Event& before = events[i - 1];
    if (!Covers(before, byte)) continue;
    if (before.kind == EventKind::kFree) return {};
    if (before.tid == events[at].tid) continue;
    return {.site = before.site, .history = HistoryAt(events, i - 1, byte)};
  }
  return {};
}

std::set<Predecessor> DefinitionOf(const std::vector<Event>& events,
                                   size_t at) {
  std::set<Predecessor> all;
  const Event& event = events[at];
  for (uint64_t i = 0; i < event.size; ++i) {
    all.insert(DefinitionAt(events, at, event.address + i));
  }
  return all;
}

void Extend(std::vector<Event>& events, size_t length, uint64_t& tried) {
  if (events.size() == length) {
    PredecessorRecorder recorder;
    ++tried;
    for (size_t i = 0; i < events.size(); ++i) {
      const std::set<Predecessor>* found = recorder.OnEvent(events[i]);
      if (events[i].kind == EventKind::kFree) continue;
      ASSERT_NE(found, nullptr);
      ASSERT_EQ(*found, DefinitionOf(events, i)) << "event " << i;
    }
    return;
  }
  for (const Move& move : kMoves) {
    events.push_back(EventOf(move, events.size()));
    Extend(events, length, tried);
    if (testing::Test::HasFatalFailure()) return;
    events.pop_back();
  }
}

TEST(PredecessorRecorder, AgreesWithTheDefinitionOnEverySmallTrace) {
  std::vector<Event> events;
  uint64_t tried = 0;
  Extend(events, 6, tried);
  EXPECT_EQ(tried, 46656u);
}

TEST(BelongingSets, UnknownSitesMayHaveAnyPredecessor) {
  BelongingSets sets;
  sets.Add(1, {});
  EXPECT_TRUE(sets.Allows(2, {.site = 1}));
  EXPECT_FALSE(sets.Allows(1, {.site = 1}));
  EXPECT_TRUE(sets.Allows(1, {}));
}

TEST(BelongingSets, MergingAddsWhatWasNotThere) {
  BelongingSets ours;
  ours.Add(1, {});
  BelongingSets theirs = ours;
  theirs.Add(1, {.site = 2});
  EXPECT_EQ(ours.Merge(theirs), 1u);
  EXPECT_EQ(ours.Merge(theirs), 0u);
  EXPECT_EQ(ours, theirs);
  EXPECT_EQ(ours.num_pairs(), 2u);
}

TEST(BelongingSets, APredecessorWithoutASetIsMissing) {
  BelongingSets sets;
  sets.Add(1, {.site = 2});
  EXPECT_EQ(sets.Missing(), std::vector<uint64_t>{2});
  sets.Add(2, {});
  EXPECT_TRUE(sets.Missing().empty());
}

}  // namespace
}  // namespace fairlead::analysis
