// Records to events and back, and the refusal of records that make no sense.

#include <gtest/gtest.h>

#include "sched/rng.h"
#include "tests/trace/samples.h"
#include "trace/decode.h"
#include "trace/encode.h"
#include "trace/kinds.h"

namespace fairlead::trace {
namespace {

TEST(Stream, DecodesWhatWasEncoded) {
  const std::vector<Event> events = SampleEvents();
  const Result<std::vector<Event>> decoded = DecodeUntrusted(Encode(events));
  ASSERT_TRUE(decoded.has_value()) << decoded.error().Text();
  ASSERT_EQ(decoded->size(), events.size());
  for (size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ((*decoded)[i], events[i]) << i << " " << WordOf(events[i].kind);
  }
}

TEST(Stream, ArrivesInAnyPieces) {
  const std::vector<Event> events = SampleEvents();
  const std::vector<abi::Event> records = Encode(events);
  Decoder decoder;
  std::vector<Event> decoded;
  Event event;
  for (const abi::Event& record : records) {
    decoder.FeedUntrusted({&record, 1});
    while (decoder.Next(event).value()) decoded.push_back(event);
  }
  EXPECT_TRUE(decoder.Finish().has_value());
  EXPECT_EQ(decoded, events);
}

TEST(Stream, EveryKindHasAWordOfItsOwn) {
  for (const KindEntry& entry : Kinds()) {
    EXPECT_EQ(FindKind(entry.word), &entry);
    EXPECT_EQ(FindKind(entry.kind), &entry);
  }
  EXPECT_EQ(FindKind(abi::EventKind{0}), nullptr);
}

std::string Refusal(std::vector<abi::Event> records) {
  const Result<std::vector<Event>> events = DecodeUntrusted(records);
  return events ? "accepted" : events.error().Text();
}

abi::Event Plain(EventKind kind, uint16_t flags) {
  abi::Event record = {};
  record.kind = kind;
  record.flags = flags;
  return record;
}

TEST(Stream, RefusesWhatMakesNoSense) {
  const abi::Event good = Plain(EventKind::kRead, 0);
  const abi::Event open = Plain(EventKind::kRead, abi::kFlagExtended);
  const abi::Event old = Plain(EventKind::kExtOldValue, 0);
  EXPECT_EQ(Refusal({good, Plain(EventKind{0}, 0)}),
            "at byte 32 of the event stream: no such kind of event");
  EXPECT_EQ(Refusal({old}),
            "at byte 0 of the event stream: an extension record without an "
            "event");
  EXPECT_EQ(Refusal({good, open}),
            "at byte 64 of the event stream: it ends inside an event");
  EXPECT_EQ(Refusal({open, good}),
            "at byte 32 of the event stream: an event where an extension was "
            "announced");
  EXPECT_EQ(
      Refusal({open, Plain(EventKind::kExtOldValue, abi::kFlagExtended), old}),
      "at byte 64 of the event stream: two old values");
  abi::Event stranger = good;
  stranger.thread = 60000;
  EXPECT_EQ(Refusal({stranger}),
            "at byte 0 of the event stream: no such thread");
  abi::Event payload = Plain(EventKind::kExtPayload, 0);
  payload.thread = 25;
  EXPECT_EQ(Refusal({open, payload}),
            "at byte 32 of the event stream: a payload of too many bytes");
  abi::Event block = Plain(EventKind::kExtBlock, 0);
  block.site = 77;
  EXPECT_EQ(Refusal({open, block}),
            "at byte 32 of the event stream: no such class of block");
}

TEST(Stream, RandomBytesNeverBreakTheDecoder) {
  sched::Rng rng(1);
  for (int i = 0; i < 20'000; ++i) {
    std::vector<abi::Event> records = Encode(SampleEvents());
    records.resize(1 + rng.Below(8));
    auto bytes = std::as_writable_bytes(std::span(records));
    for (uint64_t n = rng.Below(4); n != ~uint64_t{0}; --n) {
      bytes[rng.Below(bytes.size())] = static_cast<std::byte>(rng.Next());
    }
    const Result<std::vector<Event>> events = DecodeUntrusted(records);
    if (events) EXPECT_LE(events->size(), records.size());
  }
}

}  // namespace
}  // namespace fairlead::trace
