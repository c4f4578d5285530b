// Con-Dangling by its definition, on random traces: all uses of a block that
// the order without locks does not put before its end, of each thread the last
// two. (Pointers, counters and flags are in tests/traces/dangling.)

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "analysis/conmem/dangling.h"
#include "analysis/predictor/predictor.h"
#include "tests/analysis/plain_facts.h"
#include "tests/order/definition.h"
#include "tests/order/trace_maker.h"
#include "trace/kinds.h"
#include "trace/text.h"

namespace fairlead::analysis {
namespace {

// Seq of the end, and of the use.
using Late = std::pair<uint64_t, uint64_t>;

std::set<Late> ByDefinition(const Trace& trace) {
  const Events& events = trace.events;
  const order::Definition definition(trace, order::kWithoutLocks);
  std::set<Late> late;
  for (size_t end = 0; end < events.size(); ++end) {
    if (events[end].kind != EventKind::kFree) continue;
    // A block lives from its allocation on.
    size_t begin = end;
    while (begin-- > 0 && !(order::EndsMemory(events[begin].kind) &&
                            events[begin].address == events[end].address)) {
    }
    if (begin >= end || events[begin].kind != EventKind::kAlloc) continue;
    std::map<Tid, size_t> told;
    for (size_t use = end; use-- > begin + 1;) {
      if (!IsAccess(events[use]) || events[use].tid == events[end].tid ||
          events[use].address - events[end].address >= events[end].value ||
          definition.Before(use, end)) {
        continue;
      }
      if (told[events[use].tid]++ < 2) {
        late.insert({events[end].seq, events[use].seq});
      }
    }
  }
  return late;
}

std::set<Late> Reported(const Trace& trace) {
  std::vector<std::unique_ptr<Analysis>> one;
  one.push_back(std::make_unique<Dangling>());
  Predictor predictor(std::move(one));
  for (const Event& event : trace.events) predictor.OnEvent(event);
  std::set<Late> late;
  for (const Prediction& each : predictor.list().predictions()) {
    if (each.spots[0].kind != EventKind::kFree) continue;
    late.insert({each.spots[0].seq, each.spots[1].seq});
  }
  return late;
}

// What the trace touches first lies in a block from the start on, and the
// thread of its last event frees that.
Trace InABlock(Trace trace) {
  const auto first = std::ranges::find_if(trace.events, [](const Event& event) {
    return IsAccess(event) && event.address < 0x100000;  // no block of its own
  });
  if (first == trace.events.end()) return trace;
  Event alloc;
  alloc.kind = EventKind::kAlloc;
  alloc.address = first->address;
  alloc.value = 16;
  alloc.tid = trace.events.front().tid;
  for (Event& event : trace.events) {
    ++event.seq;
    const bool wakes = trace::GroupOf(event.kind) == trace::EventGroup::kWake;
    if (wakes && event.value != 0) ++event.value;  // seq of the cause
  }
  trace.events.insert(trace.events.begin(), alloc);
  Event free = alloc;
  free.kind = EventKind::kFree;
  free.tid = trace.events.back().tid;
  free.seq = trace.events.back().seq + 1;
  trace.events.push_back(free);
  return trace;
}

TEST(Dangling, PredictsExactlyWhatItsDefinitionSays) {
  size_t num_late = 0;
  for (uint64_t seed = 1; seed <= 1500 && !HasFailure(); ++seed) {
    const Trace trace = OwnSites(InABlock(
        order::RandomTrace(seed, static_cast<uint16_t>(2 + seed % 3), 40)));
    const std::set<Late> late = ByDefinition(trace);
    EXPECT_EQ(Reported(trace), late) << trace::PrintTrace(trace);
    num_late += late.size();
  }
  EXPECT_GT(num_late, 1000u);
}

}  // namespace
}  // namespace fairlead::analysis
