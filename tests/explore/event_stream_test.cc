// Events of an execution, told to those who want them.

#include "explore/watch/event_stream.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <string>
#include <vector>

#include "base/patience.h"

namespace fairlead::explore {
namespace {

class Counter final : public EventObserver {
 public:
  void OnEvent(const trace::Event&) override { ++num_events; }
  uint64_t num_events = 0;
};

std::vector<abi::Event> Reads(size_t number) {
  std::vector<abi::Event> records(number);
  for (abi::Event& record : records) {
    record.kind = abi::EventKind::kRead;
    record.size = 4;
  }
  return records;
}

TEST(EventStream, TellsAllThatCome) {
  const Result<ControlMemory> memory = ControlMemory::Create({}, {});
  ASSERT_TRUE(memory.has_value());
  Counter counter;
  EventStream stream(counter);
  stream.OnRecords(Reads(1000), *memory);
  EXPECT_TRUE(stream.status().has_value());
  EXPECT_EQ(counter.num_events, 1000u);
}

// An event may take long when there are many threads; nobody waits for it.
TEST(EventStream, LeavesTheRestWhenNobodyWaits) {
  const Result<ControlMemory> memory = ControlMemory::Create({}, {});
  ASSERT_TRUE(memory.has_value());
  Counter counter;
  EventStream stream(counter);
  stream.OnRecords(Reads(100), *memory);
  AskToStop(SIGINT);
  stream.OnRecords(Reads(10'000), *memory);
  ForgetStop();
  EXPECT_LT(counter.num_events, 200u);
  ASSERT_FALSE(stream.status().has_value());
  EXPECT_EQ(stream.status().error().code(), ErrorCode::kInterrupted);
}

// One that is about much memory takes as long as many; this one is dear, and
// must not be followed by others until a number of events has come.
TEST(EventStream, LooksAtTheClockForEachLargeEvent) {
  const Result<ControlMemory> memory = ControlMemory::Create({}, {});
  ASSERT_TRUE(memory.has_value());
  Counter counter;
  EventStream stream(counter);
  std::vector<abi::Event> records = Reads(20);
  for (abi::Event& record : records) {
    record.kind = abi::EventKind::kFree;
    record.value = 10 << 20;
  }
  stream.OnRecords(std::span(records).first(3), *memory);
  EXPECT_EQ(counter.num_events, 3u);
  AskToStop(SIGINT);
  stream.OnRecords(std::span(records).subspan(3), *memory);
  ForgetStop();
  EXPECT_EQ(counter.num_events, 3u);
  EXPECT_FALSE(stream.status().has_value());
}

// It has nowhere else to come from.
TEST(EventStream, WhatMakesNoSenseIsTheProgramsDoing) {
  const Result<ControlMemory> memory = ControlMemory::Create({}, {});
  ASSERT_TRUE(memory.has_value());
  Counter counter;
  EventStream stream(counter);
  std::vector<abi::Event> records = Reads(3);
  records[1].kind = static_cast<abi::EventKind>(250);
  stream.OnRecords(records, *memory);
  ASSERT_FALSE(stream.status().has_value());
  EXPECT_NE(stream.status().error().Text().find("the program wrote over"),
            std::string::npos);
}

}  // namespace
}  // namespace fairlead::explore
