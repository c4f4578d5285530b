// Why the C++ library ended a program, told from what it said and from the
// stack.

#include "explore/judge/terminate_words.h"

#include <gtest/gtest.h>

namespace fairlead::explore {
namespace {

using finding::Kind;

constexpr char kNoException[] = "terminate called without an active exception";

TEST(TerminateWords, SayWhatCalledIt) {
  const struct {
    Kind kind;
    std::string_view said;
    std::vector<std::string> functions;
    std::string_view wanted;  // in it; "" = nothing is said
  } cases[] = {
      {Kind::kAbort,
       kNoException,
       {"abort", "std::thread::~thread()", "main"},
       "a std::thread was destroyed"},
      {Kind::kAbort,
       kNoException,
       {"abort", "std::thread::operator=(std::thread&&)"},
       "a std::thread was destroyed"},
      {Kind::kAbort, kNoException, {"__cxa_rethrow", "main"}, "`throw;`"},
      {Kind::kAbort, kNoException, {"main"}, "by the program itself"},
      {Kind::kAbort,
       "pure virtual method called",
       {"main"},
       "one thread destroys, or still makes, the object"},
      {Kind::kAbort, "free(): invalid pointer", {"main"}, ""},
      {Kind::kAbort, "", {"std::thread::~thread()"}, ""},
      {Kind::kUncaught, "", {"main"}, ""},
      {Kind::kUncaught, "", {"__clang_call_terminate", "main"}, "noexcept"},
      {Kind::kCrash, kNoException, {"main"}, ""},
  };
  for (const auto& each : cases) {
    const std::string why = WhyTerminated(each.kind, each.said, each.functions);
    EXPECT_EQ(why.empty(), each.wanted.empty()) << why;
    EXPECT_TRUE(why.contains(each.wanted)) << why;
  }
}

}  // namespace
}  // namespace fairlead::explore
