// Who watches an execution, and what they have seen once it is over.

#include "explore/watch/watched.h"

#include <gtest/gtest.h>

#include <vector>

#include "explore/campaign/watcher_table.h"
#include "explore/watch/iroot_watch.h"

namespace fairlead::explore {
namespace {

// Counts events, and how often its result was made.
class Counter final : public Watcher {
 public:
  static constexpr WatcherId kId = WatcherId::kAttempt;
  using Seen = uint64_t;

  explicit Counter(int& num_results) : num_results_(num_results) {}
  void OnEvent(const trace::Event&) override { ++num_events_; }
  uint64_t plan_flags() const override {
    return abi::kPlanTrace | abi::kPlanFeatures;
  }
  Seen End(const Ended&) {
    ++num_results_;
    return num_events_;
  }

 private:
  int& num_results_;
  uint64_t num_events_ = 0;
};

class WatchedTest : public testing::Test {
 protected:
  void Begin() {
    watched_.Add(Counter::kId, std::make_unique<Counter>(num_results_));
  }
  void Send(abi::EventKind kind) {
    abi::Event record = {};
    record.kind = kind;
    record.size = 4;
    watched_.observer()->OnRecords({&record, 1}, memory_);
  }

  ControlMemory memory_ = *ControlMemory::Create({}, {});
  PlaceNames places_;
  int num_results_ = 0;
  Watched watched_;
};

TEST_F(WatchedTest, MakesAResultOnceAndOnlyIfSomebodyAsks) {
  Begin();
  Send(abi::EventKind::kRead);
  Send(abi::EventKind::kRead);
  EXPECT_EQ(watched_.By<Counter>(), nullptr);  // it goes on
  watched_.End(memory_, places_);
  EXPECT_EQ(num_results_, 0);
  ASSERT_NE(watched_.By<Counter>(), nullptr);
  EXPECT_EQ(*watched_.By<Counter>(), 2u);
  EXPECT_EQ(num_results_, 1);
  EXPECT_EQ(watched_.plan_flags(), abi::kPlanTrace | abi::kPlanFeatures);
}

TEST_F(WatchedTest, HasNothingOfWatchersThatWereNotThere) {
  Begin();
  watched_.End(memory_, places_);
  EXPECT_EQ(watched_.By<IRootWatch>(), nullptr);
}

TEST_F(WatchedTest, HasNothingOfRecordsThatMadeNoSense) {
  Begin();
  Send(static_cast<abi::EventKind>(0xff));
  watched_.End(memory_, places_);
  EXPECT_EQ(watched_.By<Counter>(), nullptr);
}

TEST(AddWatchers, AnExecutionThatNobodyWatchesHasNoStream) {
  Watched nobody;
  AddWatchers({}, nobody);
  EXPECT_EQ(nobody.observer(), nullptr);
  EXPECT_EQ(nobody.plan_flags(), 0u);

  Watched one;
  WatchOrder order;
  order.wishes.Want(IRootWatch::kId, IRootsWanted::kExposed);
  AddWatchers(order, one);
  EXPECT_NE(one.observer(), nullptr);
  EXPECT_EQ(one.plan_flags(), uint64_t{abi::kPlanTrace});
}

}  // namespace
}  // namespace fairlead::explore
