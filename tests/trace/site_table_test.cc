// Reading what the pass left in a binary.

#include "trace/site_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "sched/rng.h"
#include "trace/source_lines.h"

namespace fairlead::trace {
namespace {

TEST(SiteTable, ReadsSitesAndFunctions) {
  const Result<ElfImage> image = ElfImage::ReadUntrusted(TABLES_PROGRAM);
  ASSERT_TRUE(image.has_value()) << image.error().Text();
  const Result<SiteTable> table = ReadSiteTable(*image);
  ASSERT_TRUE(table.has_value()) << table.error().Text();
  EXPECT_TRUE(table->instrumented);
  ASSERT_EQ(table->sites.size(), 2u);
  EXPECT_EQ(table->sites[0], (SiteName{.kind = abi::SiteKind::kLoad,
                                       .function = "increment",
                                       .place = {"dir/lost.c", 18, 7},
                                       .id = 0x101,
                                       .anchor = 0x201,
                                       .library = false,
                                       .flags = abi::kSitePointer,
                                       .size = 4,
                                       .type = 0x301,
                                       .field_offset = 8,
                                       .block = 2,
                                       .loop = 1}));
  EXPECT_EQ(table->sites[1].kind, abi::SiteKind::kStore);
  EXPECT_TRUE(table->sites[1].library);
  ASSERT_EQ(table->functions.size(), 1u);
  EXPECT_EQ(table->functions[0].linkage_name, "_Z9incrementv");
  EXPECT_EQ(table->functions[0].place.line, 11u);
  EXPECT_EQ(table->functions[0].type, 0x301u);
  EXPECT_TRUE(table->functions[0].has(abi::kFunctionThis));
  EXPECT_EQ(table->functions[0].params,
            (std::vector<ParamName>{{.index = 0, .pointee = 0x301}}));
}

TEST(SiteTable, ReadsTypes) {
  const Result<ElfImage> image = ElfImage::ReadUntrusted(TABLES_PROGRAM);
  const Result<SiteTable> table = ReadSiteTable(*image);
  ASSERT_TRUE(table.has_value()) << table.error().Text();
  ASSERT_EQ(table->types.size(), 1u);
  const TypeName& type = table->types.at(0x301);
  EXPECT_EQ(type, (TypeName{.id = 0x301,
                            .name = "Counter",
                            .place = {"dir/lost.c", 3, 0},
                            .size = 16,
                            .flags = abi::kTypeClass,
                            .fields = {{.name = "next",
                                        .offset = 8,
                                        .size = 8,
                                        .type = 0x301,
                                        .flags = abi::kFieldPointer}}}));
  EXPECT_EQ(type.FieldAt(15), &type.fields[0]);
  EXPECT_EQ(type.FieldAt(7), nullptr);
  EXPECT_EQ(type.FieldAt(16), nullptr);
}

TEST(SiteTable, AProgramWithoutTablesIsNoError) {
  const Result<ElfImage> image = ElfImage::ReadUntrusted("/bin/sh");
  ASSERT_TRUE(image.has_value());
  const Result<SiteTable> table = ReadSiteTable(*image);
  ASSERT_TRUE(table.has_value());
  EXPECT_FALSE(table->instrumented);
}

TEST(SiteTable, RefusesTablesOfALaterVersion) {
  const Result<ElfImage> image = ElfImage::ReadUntrusted(TABLES_NEWER);
  const Result<SiteTable> table = ReadSiteTable(*image);
  ASSERT_FALSE(table.has_value());
  EXPECT_EQ(table.error().code(), ErrorCode::kTooNew);
}

TEST(SiteTable, RefusesDamagedTables) {
  const Result<ElfImage> image = ElfImage::ReadUntrusted(TABLES_DAMAGED);
  const Result<SiteTable> table = ReadSiteTable(*image);
  ASSERT_FALSE(table.has_value());
  EXPECT_EQ(table.error().Text(),
            "the tables of instrumentation are damaged; build the program "
            "again with fairlead-cc");
}

TEST(ElfImage, KnowsWhatAProgramIs) {
  const Result<ElfImage> image = ElfImage::ReadUntrusted(TABLES_PROGRAM);
  ASSERT_TRUE(image.has_value());
  EXPECT_TRUE(image->is_64_bit());
  EXPECT_EQ(image->machine(), EM_X86_64);
  EXPECT_TRUE(image->has_interpreter());
  EXPECT_EQ(image->BuildId().size(), 40u);
  const std::vector<ElfSymbol> symbols = image->Symbols();
  const auto counter = std::ranges::find(symbols, "counter", &ElfSymbol::name);
  ASSERT_NE(counter, symbols.end());
  EXPECT_EQ(counter->size, 4u);
  EXPECT_FALSE(counter->function);
}

TEST(ElfImage, RefusesATextFile) {
  const Result<ElfImage> image = ElfImage::ReadUntrusted(__FILE__);
  ASSERT_FALSE(image.has_value());
  EXPECT_EQ(image.error().Text(), std::string(__FILE__) + " is no ELF file");
}

TEST(ElfImage, DamageNeverBreaksTheReader) {
  const std::string bytes = ReadFile(TABLES_PROGRAM).value();
  const std::string path = ::testing::TempDir() + "fairlead-damaged-elf";
  sched::Rng rng(4);
  for (int i = 0; i < 300; ++i) {
    std::string changed = bytes;
    // Headers are where damage misleads; they lie at both ends of the file.
    for (int n = 0; n < 8; ++n) {
      const size_t at = rng.Below(1024);
      changed[n % 2 == 0 ? at : changed.size() - 1 - at] =
          static_cast<char>(rng.Next());
    }
    ASSERT_TRUE(WriteFile(path, changed).has_value());
    const Result<ElfImage> image = ElfImage::ReadUntrusted(path);
    if (!image) continue;
    image->Symbols();
    image->BuildId();
    [[maybe_unused]] const Result<SiteTable> table = ReadSiteTable(*image);
  }
  std::filesystem::remove(path);
}

TEST(SourceLines, KnowsTheLineOfAnAddress) {
  const Result<ElfImage> image = ElfImage::ReadUntrusted(TABLES_PROGRAM);
  const std::vector<ElfSymbol> symbols = image->Symbols();
  const auto main_symbol = std::ranges::find(symbols, "main", &ElfSymbol::name);
  ASSERT_NE(main_symbol, symbols.end());
  const SourceLines lines(TABLES_PROGRAM);
  const std::vector<SourceLine> sources =
      lines.Caller(main_symbol->address + 1);
  ASSERT_EQ(sources.size(), 1u);
  const SourceLine& source = sources[0];
  EXPECT_EQ(source.function, "main");
  EXPECT_TRUE(source.place.file.ends_with("tests/trace/tables.c"))
      << source.place.file;
  EXPECT_GT(source.place.line, 40u);
}

TEST(SourceLines, AFileThatIsNotThereKnowsNothing) {
  EXPECT_TRUE(SourceLines("/nonexistent").Caller(17).empty());
}

}  // namespace
}  // namespace fairlead::trace
