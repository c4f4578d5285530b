#include "lin/request_judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>

namespace fairlead::lin {
namespace {

// A program with one register and one log, whose requests are words:
//   put1 put2  sets the register, is answered "ok"
//   get        is answered what is there
//   add        adds one, is answered what is there then
//   take       waits until the register is not 0, empties it
//   note       is answered "ok", and is in the log
// A request that changes anything is in the log if `logs`.
class Machine {
 public:
  explicit Machine(bool logs) : logs_(logs) {}

  // Nothing = it waits.
  std::optional<Answer> Serve(const std::string& asks) {
    if (asks == "get") return Answer{.reply = std::to_string(value_)};
    if (asks == "take" && value_ == 0) return {};
    if (logs_ || asks == "note") log_.push_back(asks);
    if (asks == "note") return Answer{.reply = "ok"};
    if (asks == "put1" || asks == "put2") {
      value_ = asks[3] - '0';
      return Answer{.reply = "ok"};
    }
    if (asks == "add") return Answer{.reply = std::to_string(++value_)};
    return Answer{.reply = std::to_string(std::exchange(value_, 0))};
  }
  Components state() const {
    return {{"value", {.value = std::to_string(value_)}},
            {"log", {.sequence = log_}}};
  }

 private:
  bool logs_;
  int value_ = 0;
  std::vector<std::string> log_;
};

SerialRun RunInOrder(const RequestHistory& history, const RequestOrder& order,
                     bool logs) {
  Machine machine(logs);
  SerialRun run;
  for (const uint32_t i : order) {
    const auto answer = machine.Serve(history[i].asks);
    if (!answer) return run;
    run.served.push_back({history[i].asks, *answer});
  }
  run.state = machine.state();
  return run;
}

// The definition: every order of every choice of requests that has all that
// were answered, kept if it keeps what precedes what.
struct Defined {
  Verdict verdict = Verdict::kNo;
  bool answers_fit = false;
  bool operator==(const Defined&) const = default;
};

bool KeepsOrder(const RequestHistory& history, const RequestOrder& order) {
  for (size_t i = 0; i < order.size(); ++i) {
    for (size_t j = i + 1; j < order.size(); ++j) {
      if (Precedes(history[order[j]], history[order[i]])) return false;
    }
  }
  return true;
}

Defined ByDefinition(const RequestHistory& history, const Components& state,
                     bool logs) {
  Defined defined;
  bool any_feasible = false;
  bool any_fit = false;
  for (uint32_t choice = 0; choice < 1u << history.size(); ++choice) {
    RequestOrder order;
    bool has_all = true;
    for (uint32_t i = 0; i < history.size(); ++i) {
      if ((choice >> i & 1) != 0) {
        order.push_back(i);
      } else {
        has_all &= !history[i].answer;
      }
    }
    if (!has_all) continue;
    do {
      if (!KeepsOrder(history, order)) continue;
      const SerialRun run = RunInOrder(history, order, logs);
      size_t legal = 0;
      while (legal < run.served.size()) {
        const auto& answer = history[order[legal]].answer;
        if (answer && *answer != run.served[legal].answer) break;
        ++legal;
      }
      if (legal < run.served.size()) any_feasible = true;
      if (legal < order.size()) continue;
      any_feasible = true;
      defined.answers_fit = true;
      any_fit |= *run.state == state;
    } while (std::ranges::next_permutation(order).found);
  }
  defined.verdict = any_fit         ? Verdict::kYes
                    : !any_feasible ? Verdict::kUnknown
                                    : Verdict::kNo;
  return defined;
}

RequestJudgement JudgeMachine(const RequestHistory& history,
                              const Components& state, bool logs,
                              uint64_t* runs = nullptr) {
  std::map<RequestOrder, SerialRun> known;
  return Judge(history, state, Comparison(),
               [&](const RequestOrder& order) -> const SerialRun* {
                 if (!known.contains(order)) {
                   known[order] = RunInOrder(history, order, logs);
                   if (runs != nullptr) ++*runs;
                 }
                 return &known[order];
               });
}

// Two begins and ends per request, as a word: "aabb" one after the other.
RequestHistory HistoryOf(const std::vector<std::string>& asks,
                         const std::string& timing) {
  RequestHistory history(asks.size());
  std::vector<int> seen(asks.size());
  for (uint64_t at = 0; at < timing.size(); ++at) {
    const auto i = static_cast<size_t>(timing[at] - 'a');
    if (seen[i]++ == 0) {
      history[i].begin = at;
    } else {
      history[i].end = at;
    }
    history[i].session = i + 1;
    history[i].asks = asks[i];
  }
  return history;
}

std::string Show(const RequestHistory& history, const Components& state) {
  std::string text;
  for (const Request& each : history) {
    text += each.asks + " [" + std::to_string(each.begin) + "," +
            (each.end == kNever ? "" : std::to_string(each.end)) +
            "] = " + (each.answer ? each.answer->reply : "?") + "; ";
  }
  return text + "value " + *state.at("value").value;
}

// Every timing of three requests, all that they can ask, answers and states of
// some order and of none.
TEST(RequestJudge, AgreesWithTheDefinitionOnEverySmallHistory) {
  const std::vector<std::string> words = {"put1", "put2", "get", "add", "take"};
  std::mt19937 random(7);
  const auto below = [&](size_t n) { return random() % n; };
  size_t counts[3] = {};
  size_t latent = 0;
  for (size_t ask = 0; ask < 125; ++ask) {
    const std::vector<std::string> asks = {words[ask % 5], words[ask / 5 % 5],
                                           words[ask / 25]};
    std::string timing = "aabbcc";
    do {
      RequestHistory history = HistoryOf(asks, timing);
      const bool logs = below(4) == 0;
      // Answers of one order and the state of another; sometimes neither.
      RequestOrder order = {0, 1, 2};
      std::ranges::shuffle(order, random);
      const SerialRun run = RunInOrder(history, order, logs);
      for (size_t i = 0; i < 3; ++i) {
        history[order[i]].answer =
            i < run.served.size() ? run.served[i].answer : Answer{.reply = "1"};
      }
      if (below(4) == 0) history[below(3)].answer = Answer{.reply = "2"};
      if (below(6) == 0) {
        Request& pending = history[below(3)];
        pending.answer.reset();
        pending.end = kNever;
      }
      if (below(2) == 0) std::ranges::shuffle(order, random);
      const SerialRun other = RunInOrder(history, order, logs);
      const Components state = other.state.value_or(Machine(false).state());
      const RequestJudgement judged = JudgeMachine(history, state, logs);
      ASSERT_EQ((Defined{judged.verdict, judged.answers_fit}),
                ByDefinition(history, state, logs))
          << Show(history, state);
      ++counts[static_cast<size_t>(judged.verdict)];
      latent += judged.IsLatent();
    } while (std::ranges::next_permutation(timing).found);
  }
  // All of it came up.
  EXPECT_GT(counts[0], 1000u);
  EXPECT_GT(counts[1], 1000u);
  EXPECT_GT(counts[2], 10u);
  EXPECT_GT(latent, 300u);
}

RequestHistory Answered(RequestHistory history,
                        const std::vector<std::string>& replies) {
  for (size_t i = 0; i < history.size(); ++i) {
    history[i].answer = Answer{.reply = replies[i]};
  }
  return history;
}

Components StateOf(const std::string& value) {
  return {{"value", {.value = value}}, {"log", {}}};
}

// The answer of one order with the state of the other is neither.
TEST(RequestJudge, AnswersAndStateMustBeOfOneOrder) {
  const RequestHistory history =
      Answered(HistoryOf({"put1", "take"}, "abab"), {"ok", "1"});
  EXPECT_EQ(JudgeMachine(history, StateOf("0"), false).verdict, Verdict::kYes);
  const RequestJudgement judged = JudgeMachine(history, StateOf("1"), false);
  EXPECT_EQ(judged.verdict, Verdict::kNo);
  EXPECT_TRUE(judged.IsLatent());
}

TEST(RequestJudge, AWrongAnswerIsNotLatent) {
  const RequestHistory history =
      Answered(HistoryOf({"add", "add"}, "abab"), {"1", "1"});
  const RequestJudgement judged = JudgeMachine(history, StateOf("2"), false);
  EXPECT_EQ(judged.verdict, Verdict::kNo);
  EXPECT_FALSE(judged.IsLatent());
  ASSERT_EQ(judged.fits.size(), 2u);
  EXPECT_FALSE(judged.fits[0].answers);
  EXPECT_TRUE(judged.fits[0].state);
  EXPECT_EQ(judged.Best()->legal, 1u);
}

TEST(RequestJudge, WhereEveryOrderBlocksNothingIsKnown) {
  const RequestHistory history =
      Answered(HistoryOf({"take", "take"}, "abab"), {"1", "1"});
  const RequestJudgement judged = JudgeMachine(history, StateOf("0"), false);
  EXPECT_EQ(judged.verdict, Verdict::kUnknown);
  EXPECT_TRUE(judged.all_infeasible);
}

TEST(RequestJudge, AnOrderThatBlocksIsNone) {
  const RequestHistory history =
      Answered(HistoryOf({"take", "put1"}, "abab"), {"1", "ok"});
  EXPECT_EQ(JudgeMachine(history, StateOf("0"), false).verdict, Verdict::kYes);
}

TEST(RequestJudge, GivesUpWithWhoCannotRunOrders) {
  const RequestHistory history =
      Answered(HistoryOf({"get", "add"}, "abab"), {"0", "1"});
  const RequestJudgement judged =
      Judge(history, StateOf("1"), Comparison(),
            [](const RequestOrder&) { return nullptr; });
  EXPECT_EQ(judged.verdict, Verdict::kUnknown);
  EXPECT_FALSE(judged.all_infeasible);
}

// Ten requests of two sessions have 252 orders; what two have in common is run
// once.
TEST(RequestJudge, RunsFewOrders) {
  RequestHistory history;
  for (uint64_t i = 0; i < 10; ++i) {
    history.push_back({.session = i % 2,
                       .number = i / 2,
                       .asks = "add",
                       .answer = Answer{.reply = std::to_string(i + 1)},
                       .begin = i,
                       .end = 100 + i});
  }
  uint64_t runs = 0;
  EXPECT_EQ(JudgeMachine(history, StateOf("10"), false, &runs).verdict,
            Verdict::kYes);
  EXPECT_LE(runs, 4u);
  runs = 0;
  history[9].answer->reply = "9";
  EXPECT_EQ(JudgeMachine(history, StateOf("10"), false, &runs).verdict,
            Verdict::kNo);
  EXPECT_LE(runs, 20u);
}

TEST(Comparison, RulesTakeBackInOneDirection) {
  const Component two = {.elements = {{"a", 1}, {"b", 1}}};
  const Component one = {.elements = {{"a", 1}}};
  const Comparison less({{"cache", StateRule::kConcurrentWithin}}, {}, {});
  EXPECT_TRUE(less.SameComponent("cache", two, one));
  EXPECT_FALSE(less.SameComponent("cache", one, two));
  EXPECT_FALSE(less.SameComponent("other", two, one));
  const Comparison more({{"c*", StateRule::kSerialWithin}}, {}, {});
  EXPECT_TRUE(more.SameComponent("cache", one, two));
  EXPECT_FALSE(more.SameComponent("cache", two, one));
  EXPECT_TRUE(Comparison({{"*", StateRule::kIgnore}}, {}, {})
                  .SameComponent("cache", two, {}));
}

// Two copies of one element are no set: XOR would cancel them.
TEST(Comparison, CountsElements) {
  const Component once = {.elements = {{"t1", 1}}};
  const Component twice = {.elements = {{"t1", 2}}};
  EXPECT_FALSE(Comparison().SameComponent("tables", once, twice));
  EXPECT_TRUE(Comparison({{"tables", StateRule::kSerialWithin}}, {}, {})
                  .SameComponent("tables", once, twice));
}

TEST(Comparison, WhatMayChangePlacesMay) {
  const Component log = {.sequence = {"insert 1", "optimize t", "insert 2"}};
  const Component late = {.sequence = {"insert 1", "insert 2", "optimize t"}};
  const Component swapped = {
      .sequence = {"insert 2", "optimize t", "insert 1"}};
  const Comparison comparison({}, {}, {{"optimize*", "insert*"}});
  EXPECT_FALSE(Comparison().SameComponent("log", log, late));
  EXPECT_TRUE(comparison.SameComponent("log", log, late));
  EXPECT_FALSE(comparison.SameComponent("log", log, swapped));
  EXPECT_TRUE(comparison.Unused().empty());
}

TEST(Comparison, LearnsWhatDiffersByItself) {
  Comparison comparison;
  const Answer one = {.reply = "at 12:30 ok"}, two = {.reply = "at 7:01 ok"};
  EXPECT_FALSE(comparison.SameAnswer("time", one, two));
  EXPECT_TRUE(comparison.LearnOwn("time", one, two));
  EXPECT_FALSE(comparison.LearnOwn("time", one, two));
  EXPECT_TRUE(comparison.SameAnswer("time", one, {.reply = "at 1:1 ok"}));
  EXPECT_FALSE(comparison.SameAnswer("time", one, {.reply = "at 1:1 no"}));
  EXPECT_FALSE(comparison.SameAnswer("other", one, two));
  EXPECT_TRUE(comparison.LearnOwn("time", one, {.reply = "who knows"}));
  EXPECT_TRUE(comparison.SameAnswer("time", one, {.reply = "anything"}));
}

TEST(Comparison, ReplyRules) {
  const auto same = [](ReplyRule rule, const char* one, const char* two) {
    return Comparison({}, {{"list*", rule}}, {})
        .SameAnswer("list all", {.reply = one}, {.reply = two});
  };
  EXPECT_TRUE(same(ReplyRule::kRows, "a\nb\n", "b\na\n"));
  EXPECT_FALSE(same(ReplyRule::kRows, "a\nb\n", "b\nb\n"));
  EXPECT_TRUE(same(ReplyRule::kNumbers, "a12", "a7"));
  EXPECT_TRUE(same(ReplyRule::kText, "a", "b"));
  // Another status is another answer.
  EXPECT_FALSE(Comparison({}, {{"*", ReplyRule::kText}}, {})
                   .SameAnswer("x", {.status = 1}, {.status = 0}));
}

TEST(Component, DifferencesNameElements) {
  const Component wanted = {.elements = {{"a", 2}}, .values = {{"k", "1"}}};
  const Component found = {.elements = {{"a", 1}}, .values = {{"k", "2"}}};
  const ComponentDifference difference = DifferenceOf(wanted, found);
  EXPECT_EQ(difference.missing, (std::vector<std::string>{"a", "k = 1"}));
  EXPECT_EQ(difference.extra, std::vector<std::string>{"k = 2"});
  EXPECT_TRUE(DifferenceOf({.sequence = {"a", "b"}}, {.sequence = {"b", "a"}})
                  .reordered);
}

}  // namespace
}  // namespace fairlead::lin
