#include "trace/location.h"

#include <gtest/gtest.h>

namespace fairlead::trace {
namespace {

Event ModuleData(uint64_t address, uint64_t bytes, uint64_t number) {
  Event event;
  event.kind = EventKind::kModuleData;
  event.address = address;
  event.value = bytes;
  event.block = Block{.number = number,
                      .offset = 0,
                      .block_class = abi::BlockClass::kGlobal,
                      .zeroed = false};
  return event;
}

TEST(Blocks, AModuleStaysAroundItsData) {
  Blocks blocks;
  blocks.AddKnown(0x1000, 0x5000, 77);
  blocks.OnEvent(ModuleData(0x3000, 0x1000, 1));
  EXPECT_EQ(blocks.Locate(0x1200).block, 77u);
  EXPECT_EQ(blocks.Locate(0x1200).offset, 0x200u);
  EXPECT_EQ(blocks.Locate(0x3010).block, 1u);
  EXPECT_EQ(blocks.Locate(0x3010).offset, 0x10u);
  EXPECT_EQ(blocks.Locate(0x4100).block, 77u);
  EXPECT_EQ(blocks.Locate(0x4100).offset, 0x3100u);
  EXPECT_EQ(blocks.Locate(0x5000).block, 0u);
}

}  // namespace
}  // namespace fairlead::trace
