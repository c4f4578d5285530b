// Facts in the store: kept, merged, forgotten; rows that make no sense.

#include <gmock/gmock.h>

#include <filesystem>

#include "old_store.h"
#include "store/database.h"
#include "store/store.h"

namespace fairlead::store {
namespace {

using fact::Fact;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

namespace fs = std::filesystem;

class FactsTest : public testing::Test {
 protected:
  FactsTest() {
    char name[] = "/tmp/fairlead-facts-XXXXXX";
    directory_ = mkdtemp(name);
    path_ = directory_ / "store.db";
  }
  ~FactsTest() override { fs::remove_all(directory_); }

  std::unique_ptr<Store> Open() {
    Result<std::unique_ptr<Store>> store = OpenStore(path_, IfMissing::kCreate);
    EXPECT_TRUE(store) << store.error().Text();
    return *std::move(store);
  }

  fs::path directory_;
  fs::path path_;
};

std::vector<Fact> Parse(std::string_view text) {
  const Result<fact::Document> document = fact::ParseUntrusted(text);
  EXPECT_TRUE(document) << document.error().Text();
  return fact::FactsOf(*document);
}

TEST_F(FactsTest, WhatIsMergedIsKept) {
  const std::vector<Fact> facts = Parse(
      "suppression race \"a b.c\" : known\n"
      "atomic-set x y [proposed, learnt from app/1]\n");
  EXPECT_THAT(*Open()->MergeFacts(facts), IsEmpty());
  EXPECT_EQ(*Open()->Facts(), facts);
  // A second lot of runs is added; a contrary decision is a conflict.
  const auto conflicts =
      Open()->MergeFacts(Parse("atomic-set x y [proposed, learnt from app/2]\n"
                               "suppression race \"a b.c\" [rejected]\n"));
  ASSERT_TRUE(conflicts);
  EXPECT_THAT(*conflicts, SizeIs(1));
  const std::vector<Fact> kept = *Open()->Facts();
  ASSERT_THAT(kept, SizeIs(2));
  EXPECT_EQ(kept[0], facts[0]);
  EXPECT_THAT(kept[1].runs, ElementsAre("app/1", "app/2"));
}

TEST_F(FactsTest, OneIsReplacedAndForgotten) {
  Fact fact = Parse("unit f [proposed, inferred]")[0];
  const auto store = Open();
  ASSERT_TRUE(store->PutFact(fact));
  fact.state = fact::State::kRejected;
  ASSERT_TRUE(store->PutFact(fact));
  EXPECT_THAT(*store->Facts(), ElementsAre(fact));
  ASSERT_TRUE(store->ForgetFacts(std::vector{fact.key, fact.key}));
  EXPECT_THAT(*store->Facts(), IsEmpty());
}

TEST_F(FactsTest, RowsThatMakeNoSenseAreLeftAlone) {
  const auto store = Open();
  ASSERT_TRUE(store->MergeFacts(Parse("unit f")));
  Result<Database> database = Database::Open(path_, Database::Mode::kReadWrite);
  ASSERT_TRUE(database);
  ASSERT_TRUE(database->Execute(
      "INSERT INTO facts VALUES "
      "('later', '[\"a\"]', 'accepted', 'declared', '[]', '', 0),"
      "('unit', '{]', 'accepted', 'declared', '[]', '', 0),"
      "('unit', '[7, null]', 'accepted', 'declared', '[]', '', 0),"
      "('unit', '[\"g\"]', 'perhaps', 'declared', '[]', '', 0)"));
  EXPECT_THAT(*store->Facts(), SizeIs(1));
  ASSERT_TRUE(store->MergeFacts(Parse("unit h")));
  EXPECT_THAT(*store->Facts(), SizeIs(2));
  Result<Query> rows = database->Prepare("SELECT count(*) AS n FROM facts");
  ASSERT_TRUE(rows);
  ASSERT_TRUE(rows->Next());
  EXPECT_EQ(rows->Number("n"), 6u);
}

TEST_F(FactsTest, AnOlderStoreGetsItsTable) {
  MakeVersion3(path_);
  const auto store = Open();
  EXPECT_THAT(*store->Facts(), IsEmpty());
  EXPECT_TRUE(store->MergeFacts(Parse("unit f")));
}

}  // namespace
}  // namespace fairlead::store
