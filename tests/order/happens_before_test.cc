#include "order/happens_before.h"

#include <gtest/gtest.h>

#include "order/trace_order.h"
#include "tests/order/definition.h"
#include "tests/order/trace_maker.h"
#include "trace/text.h"

namespace fairlead::order {
namespace {

using trace::Trace;

// The sets that are compared: those with a name, and each kind by itself.
std::vector<EdgeSet> Sets() {
  std::vector<EdgeSet> sets = {kFullOrder, kWithoutLocks, kRelaxedOrder,
                               EdgeSet(), EdgeSet::All()};
#define FL_EDGE(name, word, help)            \
  if (EdgeKind::name != EdgeKind::kMutex &&  \
      EdgeKind::name != EdgeKind::kRwlock) { \
    sets.push_back({EdgeKind::name});        \
  }
#include "order/edges.inc"
#undef FL_EDGE
  sets.push_back({EdgeKind::kMutex, EdgeKind::kRwlock});
  return sets;
}

// "" when the algorithm and the definition agree on every pair.
std::string Disagreement(const Trace& trace, EdgeSet edges) {
  const TraceOrder order(trace, edges);
  const Definition definition(trace, edges);
  for (size_t i = 0; i < trace.events.size(); ++i) {
    for (size_t j = i + 1; j < trace.events.size(); ++j) {
      const bool before = order.Before(trace.events[i], trace.events[j]);
      if (before == definition.Before(i, j)) continue;
      return fmt::format("{} and {} are {}, but by definition {}:\n{}", i, j,
                         before ? "ordered" : "not ordered",
                         before ? "not" : "are", trace::PrintTrace(trace));
    }
  }
  return "";
}

// A family of moves whose traces are all looked at.
struct Family {
  const char* name;
  uint16_t num_threads;
  size_t length;
  EdgeSet edges;
  std::vector<Move> moves;
  Causes causes = Causes::kThreads;
};

class SmallTraces : public testing::TestWithParam<Family> {};

TEST_P(SmallTraces, AgreeWithTheDefinition) {
  const Family& family = GetParam();
  size_t num_traces = 0;
  ForEachTrace(TraceMaker(family.num_threads, family.causes), family.moves,
               family.length, [&](const Trace& trace) {
                 ++num_traces;
                 if (testing::Test::HasFailure()) return;
                 EXPECT_EQ(Disagreement(trace, family.edges), "");
               });
  EXPECT_GT(num_traces, 1000u);
}

const Family kFamilies[] = {
    {"mutexes", 3, 7, kFullOrder, {Move::kLock, Move::kUnlock, Move::kWrite}},
    {"rwlocks",
     2,
     7,
     kFullOrder,
     {Move::kLock, Move::kUnlock, Move::kLockShared, Move::kUnlockShared,
      Move::kDestroy}},
    {"atomics",
     2,
     4,
     kFullOrder,
     {Move::kLoadAcquire, Move::kLoadRelaxed, Move::kStoreRelease,
      Move::kStoreRelaxed, Move::kUpdateRelaxed, Move::kFenceAcquire,
      Move::kFenceRelease}},
    {"release_sequences",
     3,
     5,
     kFullOrder,
     {Move::kLoadAcquire, Move::kStoreRelease, Move::kUpdateRelaxed,
      Move::kUpdateAcqRel}},
    {"threads",
     3,
     5,
     kWithoutLocks,
     {Move::kFork, Move::kEnd, Move::kJoin, Move::kWrite}},
    {"cancels",
     2,
     7,
     kWithoutLocks,
     {Move::kCancel, Move::kCanceled, Move::kEnd}},
    {"condvars",
     3,
     6,
     kRelaxedOrder,
     {Move::kLock, Move::kUnlock, Move::kWait, Move::kWake, Move::kSignal}},
    {"condvar_causes",
     3,
     6,
     kRelaxedOrder,
     {Move::kLock, Move::kWait, Move::kWake, Move::kSignal, Move::kBroadcast},
     Causes::kEvents},
    {"barriers",
     3,
     7,
     kRelaxedOrder,
     {Move::kBarrier, Move::kBarrierPassed, Move::kWrite}},
    {"semaphores",
     3,
     5,
     kRelaxedOrder,
     {Move::kPost, Move::kSemWait, Move::kWrite}},
    {"onces", 3, 6, kRelaxedOrder, {Move::kOnce, Move::kOnceDone, Move::kRead}},
    {"annotations",
     3,
     5,
     kFullOrder,
     {Move::kAnnotatedAcquire, Move::kAnnotatedRelease, Move::kWrite}},
    {"outside", 3, 5, kFullOrder, {Move::kSend, Move::kDelivered, Move::kRead}},
    {"spins", 3, 6, {EdgeKind::kRecognised}, {Move::kRead, Move::kWrite}},
    {"hand_overs",
     2,
     6,
     {EdgeKind::kRecognised},
     {Move::kAlloc, Move::kFree, Move::kPublish, Move::kTouch, Move::kRead,
      Move::kWrite}},
};

INSTANTIATE_TEST_SUITE_P(Order, SmallTraces, testing::ValuesIn(kFamilies),
                         [](const auto& family) { return family.param.name; });

TEST(HappensBefore, AgreesWithTheDefinitionOnRandomTraces) {
  const std::vector<EdgeSet> sets = Sets();
  for (uint64_t seed = 1; seed <= 1500; ++seed) {
    const Trace trace =
        RandomTrace(seed, static_cast<uint16_t>(2 + seed % 4), 40);
    for (const EdgeSet edges : {sets[seed % sets.size()], EdgeSet::All()}) {
      ASSERT_EQ(Disagreement(trace, edges), "") << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace fairlead::order
