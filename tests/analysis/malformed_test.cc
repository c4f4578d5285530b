// Traces that no program produces: analyses may say what they like, but they
// neither crash nor hang nor eat all memory, and what they predict is a target.

#include <gtest/gtest.h>

#include <random>

#include "explore/watch/prediction_observer.h"
#include "finding/target.h"
#include "tests/order/trace_maker.h"
#include "trace/decode.h"
#include "trace/kinds.h"

namespace fairlead::analysis {
namespace {

using trace::Event;

// A number like those that hurt: small, huge, near a power of two, an address
// that other events use.
uint64_t OddNumber(std::mt19937_64& random) {
  switch (random() % 6) {
    case 0:
      return random() % 16;
    case 1:
      return ~uint64_t{0} - random() % 16;
    case 2:
      return (uint64_t{1} << (random() % 64)) - random() % 2;
    case 3:
      return 0x1000 * (1 + random() % 8) + random() % 12;
    case 4:
      return 0x100000 + random() % 64;
    default:
      return random();
  }
}

// Records of valid kinds with anything in them.
std::vector<abi::Event> RandomRecords(std::mt19937_64& random) {
  std::vector<abi::Event> records;
  const auto kinds = trace::Kinds();
  for (int i = 0; i < 120; ++i) {
    abi::Event record = {};
    record.thread = static_cast<uint16_t>(random() % 100 == 0 ? random() % 500
                                                              : random() % 4);
    record.flags = static_cast<uint16_t>(random());
    record.kind = kinds[random() % kinds.size()].kind;
    record.size = static_cast<uint8_t>(random() % 3 == 0 ? random() : 8);
    record.instructions = static_cast<uint16_t>(random());
    record.site = static_cast<uint32_t>(random() % 32);
    record.node = static_cast<uint32_t>(random() % 4);
    record.address = OddNumber(random);
    record.value = OddNumber(random);
    records.push_back(record);
  }
  return records;
}

// A trace that makes sense, with a tenth of its events changed.
std::vector<Event> DamagedTrace(std::mt19937_64& random, uint64_t seed) {
  std::vector<Event> events = order::RandomTrace(seed, 4, 120).events;
  for (Event& event : events) {
    if (random() % 10 != 0) continue;
    switch (random() % 6) {
      case 0:
        event.address = OddNumber(random);
        break;
      case 1:
        event.value = OddNumber(random);
        break;
      case 2:
        event.size = OddNumber(random);
        break;
      case 3:
        event.tid = trace::Tid{static_cast<uint16_t>(random() % 6)};
        break;
      case 4:
        event.partner.reset();
        break;
      default:
        event.kind = trace::Kinds()[random() % 60].kind;
    }
  }
  return events;
}

void Analyse(const std::vector<Event>& events) {
  analysis::Predictor predictor;
  for (const Event& event : events) predictor.OnEvent(event);
  predictor.OnEnd();
  const trace::Names names;
  for (const Prediction& each : explore::NamedAndMerged(
           std::move(predictor.list().predictions()), names)) {
    const Status checked = finding::CheckTarget(each.target);
    EXPECT_TRUE(checked.has_value()) << checked.error().Text() << "\n"
                                     << finding::PrintTarget(each.target);
    EXPECT_FALSE(SentenceOf(each, names).empty());
  }
}

TEST(Malformed, RandomRecordsCrashNoAnalysis) {
  std::mt19937_64 random(20260101);
  size_t num_events = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<Event> events;
    for (const abi::Event& record : RandomRecords(random)) {
      // One by one, so that what makes no sense as a stream costs only itself.
      trace::Decoder one;
      one.FeedUntrusted({&record, 1});
      Event event;
      const Result<bool> got = one.Next(event);
      if (!got || !*got) continue;
      event.seq = events.size();
      if (random() % 4 == 0) {
        event.partner = trace::Partner{
            trace::Tid{static_cast<uint16_t>(random() % 4)}, OddNumber(random)};
      }
      events.push_back(std::move(event));
    }
    num_events += events.size();
    Analyse(events);
  }
  EXPECT_GT(num_events, 5'000u);
}

TEST(Malformed, DamagedTracesCrashNoAnalysis) {
  std::mt19937_64 random(20260102);
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Analyse(DamagedTrace(random, seed));
  }
}

}  // namespace
}  // namespace fairlead::analysis
