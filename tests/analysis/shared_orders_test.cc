// Readers of one stream that share its orders say what they say alone.

#include <gtest/gtest.h>

#include <map>

#include "analysis/iroot/profiler.h"
#include "analysis/predictor/predictor.h"
#include "analysis/sharing/sharing.h"
#include "order/orders.h"
#include "tests/order/trace_maker.h"
#include "trace/text.h"

namespace fairlead::analysis {
namespace {

using trace::Event;
using trace::Trace;

// As explore::EventStream hands them out: the readers' order of the campaign.
struct Readers {
  iroot::Profiler profiler = iroot::Profiler({.find_shared = false});
  Sharing sharing;
  Sharing locked = Sharing(kLockEdges);
  Predictor predictor;

  void Share(order::Orders& orders) {
    profiler.Share(orders);
    sharing.Share(orders);
    locked.Share(orders);
    predictor.Share(orders);
  }
  void Read(const Trace& trace) {
    for (const Event& event : trace.events) {
      profiler.OnEvent(event);
      sharing.OnEvent(event);
      locked.OnEvent(event);
      predictor.OnEvent(event);
    }
    profiler.OnEnd();
    predictor.OnEnd();
  }
};

std::vector<std::string> SentencesOf(Predictor& predictor, const Trace& trace) {
  std::vector<std::string> sentences;
  for (const Prediction& each : predictor.list().predictions()) {
    sentences.push_back(SentenceOf(each, trace.names));
    for (const order::Spot& spot : each.spots) {
      sentences.back() += fmt::format(" {}", spot.seq);
    }
  }
  return sentences;
}

std::map<iroot::IRoot, bool> RootsOf(const iroot::Profiler& profiler) {
  std::map<iroot::IRoot, bool> roots;
  for (const auto& [root, candidate] : profiler.predicted()) {
    roots[root] = candidate.unlocked;
  }
  return roots;
}

TEST(SharedOrders, ChangeNothing) {
  size_t num_predictions = 0;
  size_t num_roots = 0;
  for (uint64_t seed = 1; seed <= 400 && !HasFailure(); ++seed) {
    Trace trace =
        order::RandomTrace(seed, static_cast<uint16_t>(2 + seed % 3), 60);
    for (Event& event : trace.events) {
      event.site = 1 + static_cast<uint32_t>(event.seq);
      event.flags |= abi::kFlagInstrumented;
    }
    Readers alone;
    alone.Read(trace);
    Readers together;
    order::Orders orders;
    together.Share(orders);
    together.Read(trace);
    // Seven are asked for: three, two, and one each.
    EXPECT_EQ(orders.size(), 5u);
    SCOPED_TRACE(trace::PrintTrace(trace));
    EXPECT_EQ(SentencesOf(together.predictor, trace),
              SentencesOf(alone.predictor, trace));
    EXPECT_EQ(RootsOf(together.profiler), RootsOf(alone.profiler));
    EXPECT_EQ(together.sharing.OrderedSites(), alone.sharing.OrderedSites());
    EXPECT_EQ(together.locked.OrderedSites(), alone.locked.OrderedSites());
    num_predictions += alone.predictor.list().predictions().size();
    num_roots += alone.profiler.predicted().size();
  }
  EXPECT_GT(num_predictions, 1000u);
  EXPECT_GT(num_roots, 1000u);
}

}  // namespace
}  // namespace fairlead::analysis
