#include "lin/histories.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lin/check.h"

namespace fairlead::lin {
namespace {

// The verdict on a file; or the error.
std::string Ask(const char* model, std::string_view text,
                HistoryOptions options = {}) {
  const Result<EventFile> events = ParseEventsUntrusted(text);
  if (!events) return "! " + events.error().sentence();
  ValueTable values;
  const ModelKind& kind = *FindModel(model);
  const Result<Histories> made = MakeHistories(*events, kind, options, values);
  if (!made) return "! " + made.error().sentence();
  const Checked checked = Check(*made, kind, ValueId::kNil, values, {});
  std::string text_of = checked.verdict == Verdict::kYes  ? "yes"
                        : checked.verdict == Verdict::kNo ? "no"
                                                          : "unknown";
  if (checked.num_objects > 1) {
    text_of += fmt::format(", {} keys", checked.num_objects);
  }
  if (checked.num_pending > 0) {
    text_of += fmt::format(", {} pending", checked.num_pending);
  }
  for (const std::string& key : checked.wrong_keys) text_of += " " + key;
  return text_of;
}

TEST(Histories, AreReadInEveryForm) {
  EXPECT_EQ(Ask("register", R"(
{:process 0, :type :invoke, :f :write, :value 1}
{:process 0, :type :ok, :f :write, :value 1}
{:process 1, :type :invoke, :f :read, :value nil}
{:process 1, :type :ok, :f :read, :value 2}
)"),
            "no ");
  EXPECT_EQ(Ask("register", R"([
{:process :nemesis, :type :info, :f :start}
{:process 0 :type :invoke :f :write :value 1}
{:process 1 :type :invoke :f :read}
{:process 1 :type :ok :f :read :value 1}
{:process 0 :type :info :f :write :value 1 :error :timeout}])"),
            "yes, 1 pending");
  EXPECT_EQ(Ask("register", R"(
{"process": 0, "type": "invoke", "f": "write", "value": 1}
{"process": 0, "type": "ok", "f": "write", "value": 1}
{"process": 1, "type": "invoke", "f": "read", "value": null}
{"process": 1, "type": "ok", "f": "read", "value": null})"),
            "no ");
  EXPECT_EQ(Ask("register",
                R"([{"process": 0, "type": "invoke", "f": "write", "value": 1},
 {"process": 0, "type": "ok", "f": "write", "value": 1}])"),
            "yes");
  EXPECT_EQ(Ask("register",
                "INFO  jepsen.util - 4\t:invoke\t:write\t1\n"
                "something else\n"
                "INFO  jepsen.util - 4\t:ok\t:write\t1\n"
                "INFO  jepsen.util - 3\t:invoke\t:read\tnil\n"
                "INFO  jepsen.util - 3\t:ok\t:read\t1\n"
                "INFO  jepsen.util - 1\t:invoke\t:cas\t[1 2]\n"
                "INFO  jepsen.util - 1\t:info\t:cas\t:timed-out\n"
                "INFO  jepsen.util - 3\t:invoke\t:read\tnil\n"
                "INFO  jepsen.util - 3\t:ok\t:read\t2\n"),
            "yes, 1 pending");
}

constexpr char kFailedCas[] =
    "1 :invoke :write 1\n1 :ok :write 1\n"
    "2 :invoke :cas [1 2]\n2 :fail :cas [1 2]\n";

TEST(Histories, AFailedCasIsAnAnswerInLogs) {
  EXPECT_EQ(Ask("register", kFailedCas), "no ");
  EXPECT_EQ(Ask("register", kFailedCas, {.failed_cas = FailedCas::kNothing}),
            "yes");
  const std::string edn = R"(
{:process 1 :type :invoke :f :write :value 1}
{:process 1 :type :ok :f :write :value 1}
{:process 2 :type :invoke :f :cas :value [1 2]}
{:process 2 :type :fail :f :cas :value [1 2]})";
  EXPECT_EQ(Ask("register", edn), "yes");
  EXPECT_EQ(Ask("register", edn, {.failed_cas = FailedCas::kAnswer}), "no ");
}

TEST(Histories, KeysAreObjectsOfTheirOwn) {
  EXPECT_EQ(Ask("key-value", R"(
{:process 0, :type :invoke, :f :put, :key "a", :value "x"}
{:process 0, :type :ok, :f :put, :key "a", :value "x"}
{:process 0, :type :invoke, :f :append, :key "a", :value "y"}
{:process 0, :type :ok, :f :append, :key "a", :value "y"}
{:process 0, :type :invoke, :f :get, :key "a", :value nil}
{:process 0, :type :ok, :f :get, :key "a", :value "xy"}
{:process 0, :type :invoke, :f :get, :key "b", :value nil}
{:process 0, :type :ok, :f :get, :key "b", :value "x"})"),
            "no, 2 keys b");
  EXPECT_EQ(Ask("register", R"(
{:process 0 :type :invoke :f :write :value [7 1]}
{:process 0 :type :ok :f :write :value [7 1]}
{:process 1 :type :invoke :f :cas :value [8 [1 2]]}
{:process 1 :type :info :f :cas :value [8 [1 2]]}
{:process 2 :type :invoke :f :read :value [7 nil]}
{:process 2 :type :ok :f :read :value [7 1]})"),
            "yes, 2 keys, 1 pending");
  // Elements of a set are objects unless all of it is read.
  EXPECT_EQ(Ask("set", R"(
{:process 0 :type :invoke :f :add :value 1}
{:process 0 :type :ok :f :add :value true}
{:process 0 :type :invoke :f :contains :value 2}
{:process 0 :type :ok :f :contains :value true})"),
            "no, 2 keys 2");
  EXPECT_EQ(Ask("set", R"(
{:process 0 :type :invoke :f :add :value 1}
{:process 0 :type :ok :f :add :value 1}
{:process 0 :type :invoke :f :add :value 2}
{:process 0 :type :ok :f :add :value 2}
{:process 0 :type :invoke :f :read}
{:process 0 :type :ok :f :read :value #{2 1}})"),
            "yes");
}

TEST(Histories, CountersGoUpAndDown) {
  EXPECT_EQ(Ask("counter", R"(
{:process 0 :type :invoke :f :add :value 5}
{:process 0 :type :ok :f :add :value 5}
{:process 0 :type :invoke :f :decr :value 2}
{:process 0 :type :ok :f :decr :value 2}
{:process 0 :type :invoke :f :read}
{:process 0 :type :ok :f :read :value 3})"),
            "yes");
}

TEST(Histories, ProcessesHaveNames) {
  for (const char* name :
       {"1", "w1", ":w1", "\"w 1\"", "1.5", "99999999999999999999"}) {
    const std::string text = fmt::format(R"(
{{:process {0} :type :invoke :f :write :value 1}}
{{:process {0} :type :ok :f :write :value 1}}
{{:process {0} :type :invoke :f :read}}
{{:process {0} :type :ok :f :read :value 9}})",
                                         name);
    EXPECT_EQ(Ask("register", text), "no ") << name;
  }
  EXPECT_EQ(Ask("register",
                "w1 :invoke :write 1\nw1 :ok :write 1\n"
                "w2 :invoke :read nil\nw2 :ok :read 9\n"),
            "no ");
}

// 2^64 + 1 and 2^64 + 2 are one floating-point number.
TEST(Histories, LargeNumbersAreNeverRounded) {
  const auto history = [](const char* form) {
    return fmt::format(fmt::runtime(form), "18446744073709551617",
                       "18446744073709551618");
  };
  EXPECT_EQ(Ask("register", history(R"(
{{:process 1 :type :invoke :f :write :value {0}}}
{{:process 1 :type :ok :f :write :value {0}}}
{{:process 2 :type :invoke :f :read}}
{{:process 2 :type :ok :f :read :value {1}}})")),
            "no ");
  EXPECT_EQ(Ask("register", history(R"(
{{"process": 1, "type": "invoke", "f": "write", "value": {0}}}
{{"process": 1, "type": "ok", "f": "write", "value": {1}}})")),
            "! line 2: a number that is too large to be compared exactly; "
            "write it as a string");
}

TEST(Histories, WhatIsWrongIsSaid) {
  const struct {
    const char* text;
    const char* error;
  } kCases[] = {
      {"", "! the file is empty"},
      {"some words\n", "! no event of a history in it"},
      {"[]", "! no event of a history in it"},
      {"{:process :nemesis :type :info :f :stop}",
       "! no event of a history in it"},
      {"{:process [1] :type :ok}",
       "! line 1: a process should be a number or a name"},
      {"[1 2]", "! line 1: an event should be a map ({:process …, :type …})"},
      {"{:type :ok}", "! line 1: an event without a process"},
      {"{:process 1 :type :done :f :read}",
       "! line 1: an event's type should be invoke, ok, fail or info"},
      {"{:process 1 :type :ok}",
       "! line 1: an event without f, the operation's name"},
      {"{:process 1 :type :ok :f :read}",
       "! line 1: process 1 ends 'read', which it has not begun"},
      {"{:process 1 :type :invoke :f :read}\n"
       "{:process 1 :type :invoke :f :write :value 2}",
       "! line 2: process 1 begins 'write' while its 'read' of line 1 is under "
       "way"},
      {"{:process 1 :type :invoke :f :read}\n{:process 1 :type :ok :f :write}",
       "! line 2: process 1 ends 'write', and began 'read'"},
      {"{:process 1 :type :invoke :f :txn}",
       "! line 1: model 'register' has no operation 'txn'"},
      {"{:process 1 :type :invoke :f :cas :value 3}",
       "! line 1: cas wants [expected new]"},
  };
  for (const auto& c : kCases) EXPECT_EQ(Ask("register", c.text), c.error);
}

}  // namespace
}  // namespace fairlead::lin
