// A program whose wild writes hit the memory that it shares with us: whatever
// is in there, every reader comes to an end and stays inside its tables. No
// program runs: the memory of an execution is made by hand and scribbled over.

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <memory>
#include <random>

#include "explore/campaign/claims.h"
#include "explore/judge/describe.h"
#include "explore/judge/determinism.h"
#include "explore/judge/divergence.h"
#include "explore/judge/outcome_oracle.h"
#include "explore/judge/uncontrolled.h"
#include "explore/judge/verdict.h"
#include "explore/names/place_names.h"
#include "explore/names/schedule_of.h"
#include "explore/names/stacks.h"
#include "explore/names/trace_keeper.h"
#include "explore/names/trace_recorder.h"
#include "explore/plan/chess_planner.h"
#include "explore/plan/learnt.h"
#include "explore/plan/planner.h"
#include "explore/run/runner.h"
#include "explore/run/target_record.h"
#include "explore/watch/event_stream.h"
#include "explore/watch/profile.h"

namespace fairlead::explore {
namespace {

using abi::RegionId;

constexpr char kModule[] = "/bin/true";  // small, and everywhere
constexpr uint32_t kSites = 40;

template <typename T>
void Put(const ControlMemory& memory, RegionId id,
         const std::vector<T>& entries) {
  std::memcpy(const_cast<void*>(memory.Begin(id)), entries.data(),
              entries.size() * sizeof(T));
  memory.page().region(id).used = entries.size();
}

std::vector<abi::Event> SomeEvents() {
  std::vector<abi::Event> events(1500);
  for (size_t i = 0; i < events.size(); ++i) {
    abi::Event& event = events[i];
    event.thread = i % 3;
    event.kind = i % 7 == 0   ? abi::EventKind::kLock
                 : i % 7 == 3 ? abi::EventKind::kUnlock
                 : i % 2 == 0 ? abi::EventKind::kWrite
                              : abi::EventKind::kRead;
    event.flags = abi::kFlagInstrumented;
    event.size = 4;
    event.site = static_cast<uint32_t>(1 + i % kSites);
    event.node = static_cast<uint32_t>(i % 50);
    event.address = 0x2000'0000'0000 + i % 11 * 8;
    event.value = i;
  }
  return events;
}

std::vector<abi::ModuleEntry> SomeModules() {
  std::vector<abi::ModuleEntry> modules(2);
  for (size_t i = 0; i < modules.size(); ++i) {
    abi::ModuleEntry& module = modules[i];
    module.base = 0x5555'0000'0000 + i * 0x100'0000;
    module.begin = module.base;
    module.end = module.base + 0x10'0000;
    module.flags = i == 0 ? abi::kModuleProgram | abi::kModuleInstrumented : 0;
    module.build_id_bytes = 20;
    std::memcpy(module.path, kModule, sizeof(kModule));
  }
  modules[0].first_site = 1;
  modules[0].num_sites = kSites;
  return modules;
}

void PutTables(const ControlMemory& memory) {
  Put(memory, RegionId::kModules, SomeModules());
  std::vector<abi::CallerRecord> callers(30);
  for (size_t i = 0; i < callers.size(); ++i) {
    callers[i] = {.module = 1,
                  .reserved = 0,
                  .offset = 0x1000 + i * 4,
                  .anchor = abi::SiteId{i * 77}};
  }
  Put(memory, RegionId::kCallers, callers);
  std::vector<abi::NodeRecord> nodes(50);
  for (uint32_t i = 1; i < nodes.size(); ++i) nodes[i] = {i / 2, i % 40, i};
  Put(memory, RegionId::kNodes, nodes);
  std::vector<abi::ThreadEntry> threads(3);
  for (size_t i = 0; i < threads.size(); ++i) {
    abi::ThreadEntry& thread = threads[i];
    thread.parent = i == 0 ? abi::Tid::kNone : abi::Tid{0};
    thread.ordinal = static_cast<uint16_t>(i);
    thread.stack_begin = 0x3000'0000'0000 + i * 0x10'0000;
    thread.stack_end = thread.stack_begin + 0x8'0000;
    std::memcpy(thread.name, "worker", 7);
    thread.object = 0x2000'0000'0000;
    thread.site = 3;
    thread.node = 7;
    thread.site_flags = abi::kFlagInstrumented;
    thread.op = abi::EventKind::kLock;
    thread.end = abi::ThreadEnd::kWaited;
  }
  Put(memory, RegionId::kThreads, threads);
}

void PutSchedule(const ControlMemory& memory) {
  std::vector<abi::ChoiceRecord> choices(60);
  std::vector<abi::SeenRecord> seen(180);
  for (size_t i = 0; i < choices.size(); ++i) {
    choices[i].next = abi::Tid{static_cast<uint16_t>(i % 3)};
    choices[i].left = abi::Tid{static_cast<uint16_t>((i + 1) % 3)};
    choices[i].count = static_cast<uint32_t>(i);
    choices[i].anchor = abi::SiteId{i * 77};
  }
  for (size_t i = 0; i < seen.size(); ++i) {
    seen[i].thread = abi::Tid{static_cast<uint16_t>(i % 3)};
    seen[i].op = abi::EventKind::kWrite;
    if (i % 3 == 0) seen[i].flags = abi::kSeenChosen;
    if (i % 3 == 2) seen[i].flags = abi::kSeenLast;
  }
  Put(memory, RegionId::kChoicesOut, choices);
  Put(memory, RegionId::kPointsOut, seen);
  std::vector<abi::InputRecord> inputs(10);
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    inputs[i] = {.kind = abi::InputKind::kResult,
                 .thread = abi::Tid{0},
                 .count = i + 1,
                 .value = i,
                 .payload_offset = i * 8,
                 .payload_bytes = 8};
  }
  Put(memory, RegionId::kInputsOut, inputs);
  Put(memory, RegionId::kPayloadOut, std::vector<char>(80, 'p'));
  Put(memory, RegionId::kCounts, std::vector<abi::OperationCount>(3));
  Put(memory, RegionId::kFeatures, std::vector<uint64_t>(abi::kFeatureWords));
}

void PutOutcome(const ControlMemory& memory, abi::Status status) {
  std::vector<abi::StackRecord> stacks(2);
  for (abi::StackRecord& stack : stacks) {
    stack.registers[abi::kCodeRegister] = 0x5555'0000'1234;
    stack.registers[abi::kStackPointerRegister] = 0x3000'0000'1000;
    stack.bytes = 512;
  }
  Put(memory, RegionId::kStacks, stacks);
  Put(memory, RegionId::kStackBytes, std::vector<char>(1024, 's'));
  std::vector<abi::ClaimRecord> claims(4);
  for (abi::ClaimRecord& claim : claims) {
    claim.kind = abi::EventKind::kSometimes;
    std::memcpy(claim.message, "reached", 8);
  }
  Put(memory, RegionId::kClaims, claims);
  abi::Outcome& outcome = memory.page().outcome;
  outcome.status = status;
  outcome.num_threads = 3;
  outcome.steps = 60;
  outcome.num_waits = 3;
  for (size_t i = 0; i < 3; ++i) {
    outcome.waits[i].thread = abi::Tid{static_cast<uint16_t>(i)};
    outcome.waits[i].op = abi::EventKind::kLock;
    outcome.waits[i].in_cycle = 1;
    outcome.waits[i].site = 3;
    outcome.waits[i].site_flags = abi::kFlagInstrumented;
  }
  std::memcpy(outcome.cause, "assertion x failed at y", 24);
  const std::vector<abi::Event> events = SomeEvents();
  std::memcpy(const_cast<void*>(memory.Begin(RegionId::kRing)), events.data(),
              events.size() * sizeof(abi::Event));
  memory.page().cursors.head = events.size();
}

std::shared_ptr<const ControlMemory> Recorded(abi::Status status) {
  static constexpr uint64_t kIdle[] = {1, 2, 3};
  static const abi::TargetRecord target = {};
  abi::Plan plan = {};
  plan.flags = abi::kPlanTrace;
  Result<ControlMemory> made = ControlMemory::Create(
      plan, {.idle_sites = kIdle, .target = std::span(&target, 1)});
  EXPECT_TRUE(made.has_value());
  auto memory = std::make_shared<const ControlMemory>(*std::move(made));
  PutTables(*memory);
  PutSchedule(*memory);
  PutOutcome(*memory, status);
  return memory;
}

// Where the wild writes go: the header, or the beginning of a table.
struct Range {
  char* begin;
  size_t bytes;
};

Range RangeOf(const ControlMemory& memory, size_t which) {
  if (which >= abi::kNumRegions) {
    return {reinterpret_cast<char*>(&memory.page()), sizeof(abi::ControlPage)};
  }
  const auto id = static_cast<RegionId>(which);
  const size_t bytes =
      memory.Capacity(id) * abi::kRegions[static_cast<size_t>(id)].entry_bytes;
  return {static_cast<char*>(const_cast<void*>(memory.Begin(id))),
          std::min<size_t>(bytes, 16384)};
}

void Scribble(const ControlMemory& memory, uint32_t seed) {
  std::mt19937 random(seed);
  // Half of the time only the tables: the header alone would tell on the rest.
  const size_t num_ranges = abi::kNumRegions + random() % 2 * 4;
  for (int i = 0; i < 12; ++i) {
    const Range range = RangeOf(memory, random() % num_ranges);
    if (range.bytes < 16) continue;
    switch (random() % 4) {
      case 0:
        for (int k = 0; k < 40; ++k) {
          range.begin[random() % range.bytes] = static_cast<char>(random());
        }
        break;
      case 1:
        for (int k = 0; k < 20; ++k) {
          const uint64_t all = ~uint64_t{0};
          std::memcpy(range.begin + random() % (range.bytes / 8) * 8, &all, 8);
        }
        break;
      case 2:
        std::memset(range.begin, random() % 2 == 0 ? 0xff : 0x41,
                    random() % range.bytes);
        break;
      default:
        for (int k = 0; k < 20; ++k) {
          const uint32_t word = random() % 3 != 0 ? 0x7fff'ffff : random() % 99;
          std::memcpy(range.begin + random() % (range.bytes / 4) * 4, &word, 4);
        }
    }
  }
}

// What a campaign, a run and their reports do with an execution.
void ReadEverything(const std::shared_ptr<const ControlMemory>& memory) {
  RingReader ring(*memory);
  Profiler profiler;
  EventStream stream(profiler);
  TraceKeeper keeper;
  Comparison comparison;
  comparison.BeginRepetition();
  UsedNumbers used;
  size_t num_read = 0;
  for (auto records = ring.Peek(); !records.empty(); records = ring.Peek()) {
    stream.OnRecords(records, *memory);
    keeper.OnRecords(records, *memory);
    comparison.OnRecords(records, *memory);
    AddUsed(records, used);
    num_read += records.size();
    ring.Release(records.size());
  }
  ASSERT_LE(num_read, memory->Capacity(RegionId::kRing));

  Result<Captured> captured = Captured::Create();
  ASSERT_TRUE(captured.has_value());
  Finished finished = {.slot = 0,
                       .executed = {.memory = memory,
                                    .outcome = memory->CopyOutcome(),
                                    .ending = {.exit_code = 0, .signal = 0}},
                       .output = &*captured};
  const Executed& executed = finished.executed;
  Namer namer(*memory);
  namer.For(used);
  keeper.Take(namer);
  comparison.Differences(executed, namer);
  profiler.Use(*memory, namer);
  const Verdict verdict = Judge(executed, {}, namer);
  EXPECT_FALSE(WordOf(verdict.word).empty());
  UncontrolledLines(executed.outcome, &namer);
  OutcomeJudgement judgement = JudgeOutcome(executed);
  if (judgement.failures.empty()) judgement.failures.emplace_back();
  for (const Failure& failure : judgement.failures) {
    Describe(failure, finished, namer);
  }
  Claims claims;
  claims.Learn(*memory);
  const trace::Schedule schedule = ScheduleOf(executed, {}, namer);
  PlacesOf(executed, namer);
  DivergenceLines(executed, schedule, "", namer);
  PlaceNames places;
  places.Begin(*memory);
  for (uint64_t place = 0; place < 100; ++place) places.AnchorOf(place);

  const Observed observed = ObservedOf(executed, Observed::End::kOk);
  Learnt learnt;
  learnt.Learn(observed);
  learnt.Weights(~uint64_t{0});
  ChessPlanner planner(2);
  while (std::optional<Planned> planned = planner.Next()) {
    planner.Learn(*planned, observed);
    if (planned->number > 5) break;
  }
}

class Scribbled : public ::testing::TestWithParam<abi::Status> {};

TEST_P(Scribbled, MemoryIsReadToAnEnd) {
  for (uint32_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE(seed);
    const auto memory = Recorded(GetParam());
    ASSERT_EQ(memory->Damage(), "");
    Scribble(*memory, seed);
    ReadEverything(memory);
    if (memory->Damage().empty()) continue;
    memory->GiveUp();
    ReadEverything(memory);
    EXPECT_EQ(memory->Used(RegionId::kModules), 0u);
    EXPECT_EQ(memory->CopyOutcome().status, abi::Status::kRunning);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Outcomes, Scribbled,
    ::testing::Values(abi::Status::kEnded, abi::Status::kSignaled,
                      abi::Status::kDeadlock, abi::Status::kCut,
                      abi::Status::kDivergence),
    [](const auto& status) {
      return "Status" + std::to_string(static_cast<uint32_t>(status.param));
    });

TEST(ControlMemory, AHeaderThatIsNotOursIsDamage) {
  const auto damaged = [](auto&& scribble) {
    const auto memory = Recorded(abi::Status::kEnded);
    scribble(memory->page());
    return memory->Damage();
  };
  EXPECT_EQ(damaged([](auto& page) { page.magic = 0; }), "its beginning");
  EXPECT_EQ(damaged([](auto& page) { page.plan.seed += 1; }),
            "the plan of the execution");
  EXPECT_EQ(damaged([](auto& page) { page.regions[3].offset += 8; }),
            "the list of its tables");
  EXPECT_EQ(damaged([](auto& page) { page.regions[3].used = ~0ull; }),
            "the list of its tables");
  EXPECT_EQ(damaged([](auto& page) { page.outcome.num_waits = 65; }),
            "the outcome of the execution");
  EXPECT_EQ(damaged([](auto& page) {
              std::memset(page.outcome.message, 'x', abi::kCauseBytes);
            }),
            "the outcome of the execution");
  EXPECT_EQ(damaged([](auto& page) { page.outcome.steps += 1; }), "");
}

TEST(RingReader, AHeadBeyondTheRingEndsTheReading) {
  const auto memory = Recorded(abi::Status::kEnded);
  memory->page().cursors.head = memory->Capacity(RegionId::kRing) + 1;
  RingReader ring(*memory);
  EXPECT_TRUE(ring.Peek().empty());
  EXPECT_TRUE(ring.broken());
}

TEST(RingReader, WhatWasReadStaysAsItWasRead) {
  const auto memory = Recorded(abi::Status::kEnded);
  RingReader ring(*memory);
  const std::span<const abi::Event> records = ring.Peek();
  ASSERT_FALSE(records.empty());
  const uint64_t before = records[0].address;
  std::memset(const_cast<void*>(memory->Begin(RegionId::kRing)), 0x41, 4096);
  EXPECT_EQ(records[0].address, before);
}

}  // namespace
}  // namespace fairlead::explore
