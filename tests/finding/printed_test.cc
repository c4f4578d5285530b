#include "finding/printed.h"

#include <gtest/gtest.h>

#include <string>

namespace fairlead::finding {
namespace {

struct Case {
  const char* name;
  const char* output;
  const char* error;
  Printed wanted;  // `cause` is not compared
};

const Case kCases[] = {
    {.name = "GoogleTest, equality",
     .output = "[==========] Running 2 tests from 2 test suites.\n"
               "[ RUN      ] Stock.Level\n"
               "[       OK ] Stock.Level (0 ms)\n"
               "[ RUN      ] Orders.Count\n"
               "tests/shop_test.cc:12: Failure\n"
               "Expected equality of these values:\n"
               "  orders\n"
               "    Which is: 1\n"
               "  2\n"
               "\n"
               "[  FAILED  ] Orders.Count (0 ms)\n",
     .error = "",
     .wanted = {.who = "GoogleTest",
                .test = "Orders.Count",
                .place = {.file = "tests/shop_test.cc", .line = 12},
                .message = "Orders.Count: tests/shop_test.cc:12: Expected "
                           "equality of these values: orders (1), 2"}},
    {.name = "GoogleTest, in colours",
     .output = "\x1b[0;32m[ RUN      ] \x1b[mQueue.Pops\n"
               "q.cc:7: Failure\n"
               "Expected: (n) < (limit), actual: 9 vs 8\n"
               "\x1b[0;31m[  FAILED  ] \x1b[mQueue.Pops (0 ms)\n",
     .error = "",
     .wanted = {.who = "GoogleTest",
                .test = "Queue.Pops",
                .place = {.file = "q.cc", .line = 7},
                .message = "Queue.Pops: q.cc:7: Expected: (n) < (limit), "
                           "actual: 9 vs 8"}},
    {.name = "GoogleTest, an exception",
     .output = "[ RUN      ] Queue.Pops\n"
               "unknown file: Failure\n"
               "C++ exception with description \"empty\" thrown in the test "
               "body.\n",
     .error = "",
     .wanted = {.who = "GoogleTest",
                .test = "Queue.Pops",
                .message = "Queue.Pops: C++ exception with description "
                           "\"empty\" thrown in the test body."}},
    {.name = "GoogleTest, only the name",
     .output = "[  FAILED  ] 1 test, listed below:\n"
               "[  FAILED  ] Queue.Pops\n",
     .error = "",
     .wanted = {.who = "GoogleTest",
                .test = "Queue.Pops",
                .message = "Queue.Pops: the test failed"}},
    {.name = "Catch2",
     .output = "Randomness seeded to: 1\n\n"
               "--------------------------------------------------\n"
               "queues keep their items\n"
               "  with two writers\n"
               "--------------------------------------------------\n"
               "queue.cc:8\n"
               "..................................................\n\n"
               "queue.cc:10: FAILED:\n"
               "  REQUIRE( queue.size() == 2 )\n"
               "with expansion:\n"
               "  1 == 2\n\n"
               "==================================================\n"
               "test cases: 1 | 1 failed\n",
     .error = "",
     .wanted = {.who = "Catch2",
                .test = "queues keep their items / with two writers",
                .place = {.file = "queue.cc", .line = 10},
                .message = "queues keep their items / with two writers: "
                           "queue.cc:10: REQUIRE( queue.size() == 2 ) with "
                           "expansion: 1 == 2"}},
    {.name = "doctest",
     .output = "[doctest] doctest version is \"2.4.9\"\n"
               "==================================================\n"
               "queue.cc:10:\n"
               "TEST CASE:  queues keep their items\n\n"
               "queue.cc:11: ERROR: CHECK( queue.size() == 2 ) is NOT "
               "correct!\n"
               "  values: CHECK( 1 == 2 )\n",
     .error = "",
     .wanted = {.who = "doctest",
                .test = "queues keep their items",
                .place = {.file = "queue.cc", .line = 11},
                .message = "queues keep their items: queue.cc:11: CHECK( "
                           "queue.size() == 2 ) is NOT correct! (values: "
                           "CHECK( 1 == 2 ))"}},
    {.name = "Boost.Test",
     .output = "Running 1 test case...\n",
     .error = "queue.cc(9): error: in \"queues/keep\": check size == 2 has "
              "failed [1 != 2]\n\n"
              "*** 1 failure is detected in the test module \"q\"\n",
     .wanted = {.who = "Boost.Test",
                .test = "queues/keep",
                .place = {.file = "queue.cc", .line = 9},
                .message = "queues/keep: queue.cc:9: check size == 2 has "
                           "failed [1 != 2]"}},
    {.name = "assert",
     .output = "",
     .error = "app: src/queue.c:12: Pop: Assertion `size > 0' failed.\n"
              "child ended by signal 6\n",
     .wanted = {.who = "assert",
                .place = {.file = "src/queue.c", .line = 12},
                .message = "src/queue.c:12: Pop: Assertion `size > 0' "
                           "failed."}},
    {.name = "a check of glog",
     .output = "",
     .error = "F1117 10:11:12.131415 1617 queue.cc:12] Check failed: size > "
              "0 (0 vs. 0) \n",
     .wanted = {.who = "CHECK",
                .place = {.file = "queue.cc", .line = 12},
                .message = "queue.cc:12: Check failed: size > 0 (0 vs. 0)"}},
    {.name = "an exception that nobody caught",
     .output = "",
     .error = "terminate called after throwing an instance of "
              "'std::runtime_error'\n  what():  overdrawn\n",
     .wanted = {.who = "C++ library",
                .message = "terminate called after throwing an instance of "
                           "'std::runtime_error': overdrawn"}},
    {.name = "a thread that was not joined",
     .output = "",
     .error = "terminate called without an active exception\n",
     .wanted = {.who = "C++ library",
                .message = "terminate called without an active exception"}},
    {.name = "malloc",
     .output = "",
     .error = "malloc(): unaligned tcache chunk detected\n",
     .wanted = {.who = "C library",
                .message = "malloc(): unaligned tcache chunk detected"}},
    {.name = "a stack that was smashed",
     .output = "",
     .error = "begin\n*** stack smashing detected ***: terminated\n",
     .wanted = {.who = "C library",
                .message = "*** stack smashing detected ***: terminated"}},
    {.name = "any other program: the last line of standard error",
     .output = "done\n",
     .error = "one\nthe total is 3, not 4\n\n",
     .wanted = {.message = "the total is 3, not 4"}},
};

TEST(Printed, IsReadByWhatFrameworksAndLibrariesWrite) {
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.name);
    const std::optional<Printed> printed = ReadPrinted(each.output, each.error);
    ASSERT_TRUE(printed);
    EXPECT_EQ(printed->who, each.wanted.who);
    EXPECT_EQ(printed->test, each.wanted.test);
    EXPECT_EQ(printed->place, each.wanted.place);
    EXPECT_EQ(printed->message, each.wanted.message);
    EXPECT_NE(printed->cause, "");
  }
}

std::string CauseOf(const char* output, const char* error) {
  const std::optional<Printed> printed = ReadPrinted(output, error);
  return printed ? printed->cause : "";
}

struct Pair {
  const char* name;
  bool same;
  const char* output[2];
  const char* error[2];
};

const Pair kPairs[] = {
    {"values do not make a cause",
     true,
     {"[ RUN      ] A.B\na.cc:9: Failure\nExpected equality of these values:\n"
      "  n\n    Which is: 1\n  2\n",
      "[ RUN      ] A.B\nx/a.cc:10: Failure\nExpected equality of these "
      "values:\n  n\n    Which is: 0\n  2\n"},
     {"", ""}},
    {"tests do",
     false,
     {"[ RUN      ] A.B\na.cc:9: Failure\nFailed\n",
      "[ RUN      ] A.C\na.cc:9: Failure\nFailed\n"},
     {"", ""}},
    {"expressions do",
     false,
     {"[ RUN      ] A.B\na.cc:9: Failure\nValue of: x\n  Actual: false\n",
      "[ RUN      ] A.B\na.cc:9: Failure\nValue of: y\n  Actual: false\n"},
     {"", ""}},
    {"values of Boost.Test do not",
     true,
     {"", ""},
     {"q.cc(9): error: in \"q\": check n == 2 has failed [1 != 2]\n",
      "q.cc(9): error: in \"q\": check n == 2 has failed [0 != 2]\n"}},
    {"where the program and its source are does not",
     true,
     {"", ""},
     {"a: x/q.c:12: Pop: Assertion `n' failed.\n",
      "b: y/q.c:13: Pop: Assertion `n' failed.\n"}},
    {"numbers and addresses do not",
     true,
     {"", ""},
     {"lost 3 of 1.5 at 0x7f001230\n", "lost -1 of 2 at (nil)\n"}},
    {"words do", false, {"", ""}, {"lost an order\n", "lost a customer\n"}},
};

TEST(Printed, IsOneCauseWhereOnlyNumbersDiffer) {
  for (const Pair& each : kPairs) {
    SCOPED_TRACE(each.name);
    const std::string a = CauseOf(each.output[0], each.error[0]);
    const std::string b = CauseOf(each.output[1], each.error[1]);
    EXPECT_EQ(a == b, each.same) << a << "\n" << b;
  }
}

TEST(Printed, IsNothingWhereNothingWasSaid) {
  EXPECT_FALSE(ReadPrinted("done\n", "\n \n"));
}

// What looks like a framework's line and is none.
TEST(Printed, KnowsFrameworksByMoreThanOneWord) {
  EXPECT_EQ(ReadPrinted("", "db: ERROR: no table\n")->who, "");
  EXPECT_EQ(ReadPrinted("", "x: error: in \"half\n")->who, "");
  EXPECT_EQ(ReadPrinted("[  FAILED  ] 1 test, listed below:\n", "e\n")->who,
            "");
}

TEST(Printed, KnowsTheTestUnderWay) {
  EXPECT_EQ(TestUnderWay("[ RUN      ] A.B\n[       OK ] A.B (0 ms)\n"
                         "[ RUN      ] A.C\n"),
            "A.C");
  EXPECT_EQ(TestUnderWay("[ RUN      ] A.B\n[       OK ] A.B (0 ms)\n"), "");
  EXPECT_EQ(TestUnderWay(""), "");
}

}  // namespace
}  // namespace fairlead::finding
