// Every answer of the index against its definition, written naively, over
// random events; and over as many as an execution may have, which the
// definition would take hours for.

#include "explore/aim/seen_index.h"

#include <gtest/gtest.h>

#include <vector>

#include "explore/aim/preconditions.h"
#include "sched/rng.h"

namespace fairlead::explore {
namespace {

using Events = std::vector<SeenEvent>;

bool Overlap(const SeenEvent& a, const SeenEvent& b) {
  return a.address < b.address + b.size && b.address < a.address + a.size;
}

std::optional<size_t> NaiveWriterOf(const Events& events, size_t at) {
  for (size_t i = at; i-- > 0;) {
    if (events[i].writes && Overlap(events[i], events[at])) return i;
  }
  return {};
}

std::optional<size_t> NaiveNextWriter(const Events& events, size_t at) {
  for (size_t i = at + 1; i < events.size(); ++i) {
    if (events[i].writes && events[i].tid != events[at].tid &&
        Overlap(events[i], events[at])) {
      return i;
    }
  }
  return {};
}

Events RandomEvents(uint64_t seed, size_t number) {
  constexpr uint32_t kSizes[] = {1, 2, 4, 8, 8, 32};
  sched::Rng rng(seed);
  Events events;
  for (size_t i = 0; i < number; ++i) {
    SeenEvent event;
    event.address = 0x1000 + rng.Below(48);
    event.size = kSizes[rng.Below(std::size(kSizes))];
    event.tid = trace::Tid{static_cast<uint16_t>(rng.Below(3))};
    event.anchor = 1 + rng.Below(5);
    const uint64_t kind = rng.Below(4);
    event.reads = kind != 0;
    event.writes = kind <= 1;
    event.operation =
        event.writes ? finding::Operation::kWrite : finding::Operation::kRead;
    events.push_back(event);
  }
  return events;
}

TEST(SeenIndex, SaysWhoWroteWhatIsReadAndWhoWillNext) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    const Events events = RandomEvents(seed, 120);
    const SeenIndex index(events);
    for (size_t i = 0; i < events.size(); ++i) {
      EXPECT_EQ(index.WriterOf(i), NaiveWriterOf(events, i)) << i;
      EXPECT_EQ(index.NextWriter(i), NaiveNextWriter(events, i)) << i;
    }
  }
}

TEST(SeenIndex, FindsPlacesAndTheirPasses) {
  const Events events = RandomEvents(7, 200);
  const SeenIndex index(events);
  for (size_t i = 0; i < events.size(); ++i) {
    const SeenEvent& event = events[i];
    const auto first = index.First(event.anchor, event.operation);
    ASSERT_TRUE(first);
    EXPECT_LE(*first, i);
    EXPECT_EQ(events[*first].anchor, event.anchor);
    if (!event.reads) continue;
    EXPECT_EQ(index.ReadAt(event.tid, event.anchor, index.PassOf(i)), i);
  }
  EXPECT_FALSE(index.First(99, finding::Operation::kRead));
  EXPECT_FALSE(index.ReadAt(trace::Tid{0}, 1, events.size()));
}

// One thread, and behind it another, count a variable up under a lock: every
// read of the first depends on a write that is far behind.
TEST(SeenIndex, IsQuickWhereAThreadWritesOnAndOn) {
  auto seen = std::make_shared<SeenExecution>();
  seen->functions[1] = "work";
  for (size_t i = 0; i < AttemptObserver::kMaxSeen; ++i) {
    SeenEvent event;
    event.address = 0x1000;
    event.size = 8;
    event.tid = trace::Tid{i < AttemptObserver::kMaxSeen - 2 ? uint16_t{1}
                                                             : uint16_t{2}};
    event.anchor = 1 + i % 2;
    event.reads = i % 2 == 0;
    event.writes = i % 2 != 0;
    event.operation =
        event.writes ? finding::Operation::kWrite : finding::Operation::kRead;
    event.function = seen->functions[1];
    seen->events.push_back(event);
  }
  finding::Target target;
  target.steps.resize(2);
  target.steps[0].thread = "a";
  target.steps[0].anchor = 77;  // never come to
  target.steps[1].thread = "b";
  const SeenExecutions all = {seen, seen, seen, seen};
  std::optional<Proposal> last;
  for (size_t number = 0; number < 64; ++number) {
    const auto proposal = Propose(target, 0, "work", all, number);
    ASSERT_TRUE(proposal);
    EXPECT_FALSE(last && last->preconditions == proposal->preconditions &&
                 last->from == proposal->from);
    last = proposal;
  }
}

}  // namespace
}  // namespace fairlead::explore
