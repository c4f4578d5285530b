// Binaries are read once, and again when they are others.

#include "explore/names/binary_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "base/file.h"

namespace fairlead::explore {
namespace {

// ASan would pad it, and its symbol with it.
[[clang::no_sanitize("address")]] int seen_by_name = 7;

TEST(BinaryFile, IsReadOnceAsLongAsItStaysWhatItIs) {
  std::string path = ::testing::TempDir() + "fairlead-XXXXXX";
  const Fd made(mkstemp(path.data()));
  ASSERT_TRUE(WriteFile(path, "one").has_value());
  const auto first = BinaryFile::At(path);
  EXPECT_EQ(BinaryFile::At(path), first);
  ASSERT_TRUE(WriteFile(path, "another one").has_value());
  const auto second = BinaryFile::At(path);
  EXPECT_NE(second, first);
  EXPECT_EQ(BinaryFile::At(path), second);
  std::filesystem::remove(path);
}

TEST(BinaryFile, KnowsNothingOfWhatIsNoBinary) {
  const auto none = BinaryFile::At("/nonexistent/file");
  EXPECT_TRUE(none->Sites().sites.empty());
  EXPECT_TRUE(none->Objects().empty());
  EXPECT_EQ(none->AnchorAt({.file = "a.c", .line = 1, .column = 1}), 0u);
}

TEST(BinaryFile, KnowsGlobalObjects) {
  ++seen_by_name;
  bool found = false;
  for (const auto& [address, object] :
       BinaryFile::At("/proc/self/exe")->Objects()) {
    found =
        found || (object.name.ends_with("seen_by_name") && object.size == 4);
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace fairlead::explore
