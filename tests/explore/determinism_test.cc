// What is compared between executions depends on what they did, not on when
// their records were read.

#include "explore/judge/determinism.h"

#include <gtest/gtest.h>

#include <vector>

namespace fairlead::explore {
namespace {

// Where the kernel puts libraries.
constexpr uint64_t kProgram = 0x5555'0000'0000;
constexpr uint64_t kLibrary = 0x7f00'0000'0000;
constexpr uint64_t kBytes = 0x1000;

ControlMemory Memory() {
  Result<ControlMemory> memory = ControlMemory::Create({}, {});
  EXPECT_TRUE(memory.has_value());
  return *std::move(memory);
}

void List(const ControlMemory& memory, uint64_t begin) {
  abi::ControlPage& page = memory.page();
  abi::Region& region = page.region(abi::RegionId::kModules);
  auto& entry =
      page.entries<abi::ModuleEntry>(abi::RegionId::kModules)[region.used++];
  entry.begin = begin;
  entry.end = begin + kBytes;
}

abi::Event Record(abi::EventKind kind, uint64_t address, uint64_t value) {
  abi::Event event = {};
  event.kind = kind;
  event.address = address;
  event.value = value;
  return event;
}

const std::vector<abi::Event> kTold = {
    Record(abi::EventKind::kModuleData, kProgram + 0x800, 0x100)};

std::vector<abi::Event> Lock(uint64_t address) {
  return {Record(abi::EventKind::kLock, address, 1)};
}

class ComparisonTest : public testing::Test {
 protected:
  std::vector<std::string> Differences(const ControlMemory& memory) {
    Namer namer(memory);
    Executed executed = {.memory = std::shared_ptr<const ControlMemory>(
                             std::shared_ptr<void>(), &memory),
                         .outcome = {},
                         .ending = {.exit_code = 0, .signal = 0}};
    return comparison_.Differences(executed, namer);
  }
  Comparison comparison_;
};

// A library that the program opens is listed while records wait to be read.
TEST_F(ComparisonTest, ALibraryThatIsListedEarlierChangesNothing) {
  const ControlMemory late = Memory();
  List(late, kProgram);
  comparison_.BeginRepetition();
  comparison_.OnRecords(kTold, late);
  comparison_.OnRecords(Lock(kLibrary + 0x10), late);
  List(late, kLibrary);
  EXPECT_TRUE(Differences(late).empty());

  const ControlMemory early = Memory();
  List(early, kProgram);
  List(early, kLibrary);
  comparison_.BeginRepetition();
  comparison_.OnRecords(kTold, early);
  comparison_.OnRecords(Lock(kLibrary + 0x10), early);
  EXPECT_EQ(Differences(early), std::vector<std::string>());
}

TEST_F(ComparisonTest, PlacesInAModuleAreToldApartWhereverItLies) {
  const ControlMemory first = Memory();
  List(first, kProgram);
  comparison_.BeginRepetition();
  comparison_.OnRecords(kTold, first);
  comparison_.OnRecords(Lock(kProgram + 0x10), first);
  EXPECT_TRUE(Differences(first).empty());

  constexpr uint64_t kMoved = kProgram + 0x10'0000;
  const std::vector<abi::Event> told = {
      Record(abi::EventKind::kModuleData, kMoved + 0x800, 0x100)};
  const ControlMemory moved = Memory();
  List(moved, kMoved);
  comparison_.BeginRepetition();
  comparison_.OnRecords(told, moved);
  comparison_.OnRecords(Lock(kMoved + 0x10), moved);
  EXPECT_EQ(Differences(moved), std::vector<std::string>());

  comparison_.BeginRepetition();
  comparison_.OnRecords(told, moved);
  comparison_.OnRecords(Lock(kMoved + 0x20), moved);
  EXPECT_FALSE(Differences(moved).empty());
}

}  // namespace
}  // namespace fairlead::explore
