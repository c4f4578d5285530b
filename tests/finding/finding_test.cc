#include "finding/finding.h"

#include <gmock/gmock.h>

#include "finding/fingerprint.h"

namespace fairlead::finding {
namespace {

using testing::Optional;

TEST(Finding, WordsGoBothWays) {
  for (int i = 0; i <= static_cast<int>(Kind::kMisuse); ++i) {
    const Kind kind = static_cast<Kind>(i);
    EXPECT_THAT(FindFindingKind(WordOf(kind)), Optional(kind));
  }
  EXPECT_THAT(FindSeverity("medium"), Optional(Severity::kMedium));
  EXPECT_THAT(FindVerdict("refuted"), Optional(Verdict::kRefuted));
  EXPECT_FALSE(FindFindingKind("no-such-kind"));
}

TEST(Finding, PlacesReadLikeACompilersMessage) {
  EXPECT_EQ(WhereText({.function = "f", .place = {"a.c", 3, 9}}), "a.c:3 (f)");
  EXPECT_EQ(WhereText({.function = "f"}), "f");
  EXPECT_EQ(WhereText({.place = {"a.c", 3, 9}}), "a.c:3");
}

constexpr uint64_t kAnchor = 0x77;
const Where kSite = {
    .function = "f", .place = {"dir/a.c", 3, 9}, .anchor = kAnchor};
const Where kPlain = {.function = "g", .place = {"dir/a.c", 7, 0}};

TEST(Fingerprint, LinesAndDirectoriesDoNotCount) {
  Where moved = kSite;
  moved.place = {"other/a.c", 40, 1};
  EXPECT_EQ(Fingerprint(Kind::kCrash, "SIGSEGV", {kSite}),
            Fingerprint(Kind::kCrash, "SIGSEGV", {moved}));
  Where plain_moved = kPlain;
  plain_moved.place = {"other/a.c", 40, 1};
  EXPECT_EQ(Fingerprint(Kind::kCrash, "SIGSEGV", {kPlain}),
            Fingerprint(Kind::kCrash, "SIGSEGV", {plain_moved}));
}

TEST(Fingerprint, OrderAndRepetitionDoNotCount) {
  EXPECT_EQ(Fingerprint(Kind::kDeadlock, "", {kSite, kPlain}),
            Fingerprint(Kind::kDeadlock, "", {kPlain, kSite, kPlain}));
}

TEST(Fingerprint, NumbersInTheCauseDoNotCountButWordsDo) {
  const auto of = [](std::string_view cause) {
    return Fingerprint(Kind::kAbort, cause, {});
  };
  EXPECT_EQ(of("pid 4711 at 0x7fff12"), of("pid 3 at 0x7fff98"));
  EXPECT_NE(of("utf8 broken"), of("utf16 broken"));
  EXPECT_NE(of("a"), of("b"));
}

TEST(Fingerprint, KindAndPlaceCount) {
  EXPECT_NE(Fingerprint(Kind::kCrash, "", {kSite}),
            Fingerprint(Kind::kAbort, "", {kSite}));
  EXPECT_NE(Fingerprint(Kind::kCrash, "", {kSite}),
            Fingerprint(Kind::kCrash, "", {kPlain}));
}

}  // namespace
}  // namespace fairlead::finding
