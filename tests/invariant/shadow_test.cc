// The guard's shadow against the recorder: the same predecessors on every small
// sequence of accesses of different sizes and of frees; and under contention no
// access is lost.

#include "guard/shadow.h"

#include <gtest/gtest.h>

#include <thread>

#include "analysis/invariant/recorder.h"

namespace fairlead::guard {
namespace {

using analysis::Predecessor;
using analysis::PredecessorRecorder;

struct Move {
  uint32_t thread;  // 0 = the memory ends
  uint32_t first;
  uint32_t bytes;
  uint32_t site;
};
constexpr Move kMoves[] = {{1, 0, 8, 1}, {1, 0, 4, 2}, {2, 4, 4, 3},
                           {2, 0, 8, 1}, {3, 2, 4, 4}, {0, 0, 8, 0}};

std::set<uint32_t> PlacesOf(const std::set<Predecessor>& predecessors) {
  std::set<uint32_t> places;
  for (const Predecessor& each : predecessors) {
    places.insert(
        each.site == 0
            ? 0
            : abi::GuardPlace(static_cast<uint32_t>(each.site), each.history));
  }
  return places;
}

trace::Event EventOf(const Move& move, uint64_t address) {
  trace::Event event;
  event.tid = trace::Tid{static_cast<uint16_t>(move.thread)};
  event.kind = move.thread == 0 ? abi::EventKind::kFree : abi::EventKind::kRead;
  event.site = move.site;
  event.address = address + move.first;
  (move.thread == 0 ? event.value : event.size) = move.bytes;
  return event;
}

// Does `number`, a sequence of moves, at an address of its own.
void Play(uint64_t number, int length, uint64_t address) {
  PredecessorRecorder recorder;
  for (int i = 0; i < length; ++i, number /= std::size(kMoves)) {
    const Move& move = kMoves[number % std::size(kMoves)];
    const auto* found = recorder.OnEvent(EventOf(move, address));
    if (move.thread == 0) {
      Forget(address, 8);
      continue;
    }
    Granule* granule = GranuleAt(address);
    ASSERT_NE(granule, nullptr);
    ASSERT_TRUE(Hold(*granule));
    const uint32_t mask = MaskOf(move.first, move.bytes);
    const Predecessors all = Look(*granule, mask, move.thread);
    Record(*granule, mask, move.thread, move.site);
    Release(*granule);
    ASSERT_EQ(std::set<uint32_t>(all.places, all.places + all.count),
              PlacesOf(*found));
  }
}

TEST(Shadow, AgreesWithTheRecorderOnEverySmallSequence) {
  constexpr int kLength = 5;
  uint64_t sequences = 1;
  for (int i = 0; i < kLength; ++i) sequences *= std::size(kMoves);
  for (uint64_t number = 0; number < sequences; ++number) {
    // The granule is forgotten as a free does it, for the next sequence.
    Play(number, kLength, 0x10000);
    if (HasFatalFailure()) return;
    Forget(0x10000, 8);
  }
}

TEST(Shadow, HasAnEndOfItsAddresses) {
  EXPECT_EQ(GranuleAt(uint64_t{1} << 47), nullptr);
  EXPECT_EQ(FindGranule(0x7fff00000000), nullptr);
  Forget(0x7fffffffe000, 0x1000);  // nothing is known of it
}

// Whoever finds the other thread's access last has been handed the location:
// that happens to both in turns, so the counts differ by one at most.
TEST(Shadow, LosesNoAccessUnderContention) {
  constexpr int kAccesses = 20000;
  Granule* granule = GranuleAt(0x20000);
  ASSERT_NE(granule, nullptr);
  int handed[2] = {};
  const auto hammer = [&](uint32_t thread) {
    for (int i = 0; i < kAccesses; ++i) {
      if (!Hold(*granule)) continue;
      handed[thread - 1] += LastThread(granule->word) == thread ? 0 : 1;
      Record(*granule, 0xff, thread, thread);
      Release(*granule);
    }
  };
  std::thread other(hammer, 2u);
  hammer(1);
  other.join();
  EXPECT_LE(std::abs(handed[0] - handed[1]), 1);
}

}  // namespace
}  // namespace fairlead::guard
