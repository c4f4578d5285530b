// The guard's word against the recorder: the same on every sequence of accesses
// to one location.

#include "guard/cell.h"

#include <gtest/gtest.h>

#include "analysis/invariant/recorder.h"

namespace fairlead::guard {
namespace {

using analysis::Predecessor;
using analysis::PredecessorRecorder;

constexpr uint32_t kThreads = 3;
constexpr uint32_t kSites = 2;

uint32_t PlaceOf(const Predecessor& predecessor) {
  return predecessor.site == 0
             ? 0
             : abi::GuardPlace(static_cast<uint32_t>(predecessor.site),
                               predecessor.history);
}

TEST(Cell, IsTheRecorderInOneWord) {
  constexpr uint32_t kMoves = kThreads * kSites;
  constexpr uint32_t kLength = 6;
  uint32_t all = 1;
  for (uint32_t i = 0; i < kLength; ++i) all *= kMoves;
  for (uint32_t number = 0; number < all; ++number) {
    Cell cell = 0;
    PredecessorRecorder recorder;
    uint32_t rest = number;
    for (uint32_t i = 0; i < kLength; ++i, rest /= kMoves) {
      const uint32_t thread = rest % kMoves / kSites;
      const uint32_t site = 1 + rest % kSites;
      trace::Event event;
      event.tid = trace::Tid{static_cast<uint16_t>(thread)};
      event.kind = abi::EventKind::kRead;
      event.site = site;
      event.address = 64;
      event.size = 8;
      const std::set<Predecessor>* found = recorder.OnEvent(event);
      ASSERT_EQ(found->size(), 1u);
      ASSERT_EQ(RemotePredecessor(cell, thread + 1), PlaceOf(*found->begin()));
      cell = Recorded(cell, thread + 1, site);
    }
  }
}

}  // namespace
}  // namespace fairlead::guard
