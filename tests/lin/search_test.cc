#include "lin/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "definition.h"

namespace fairlead::lin {
namespace {

// Operations that make sense to a model, over few values.
struct Alphabet {
  const char* model;
  std::vector<Operation> operations;
};

ValueId Small(ValueTable& values, int number) { return values.Add(number); }

Alphabet AlphabetOf(const char* model, ValueTable& values) {
  const ValueId one = Small(values, 1), two = Small(values, 2);
  const ValueId both = values.Add(Json::array({2, 1}));
  const std::string name = model;
  if (name == "register") {
    return {model,
            {{.call = Call::kWrite, .argument = one},
             {.call = Call::kWrite, .argument = two},
             {.call = Call::kRead, .result = one},
             {.call = Call::kRead, .result = two},
             {.call = Call::kRead, .result = ValueId::kNil},
             {.call = Call::kCas,
              .argument = one,
              .second = two,
              .result = ValueId::kTrue},
             {.call = Call::kCas,
              .argument = one,
              .second = two,
              .result = ValueId::kFalse}}};
  }
  if (name == "key-value") {
    const ValueId a = values.Add("a"), ab = values.Add("ab");
    const ValueId b = values.Add("b"), none = values.Add("");
    return {model,
            {{.call = Call::kWrite, .argument = a},
             {.call = Call::kAppend, .argument = b},
             {.call = Call::kDelete},
             {.call = Call::kRead, .result = ab},
             {.call = Call::kRead, .result = b},
             {.call = Call::kRead, .result = none}}};
  }
  if (name == "queue" || name == "stack") {
    return {model,
            {{.call = Call::kPush, .argument = one},
             {.call = Call::kPush, .argument = two},
             {.call = Call::kPop, .result = one},
             {.call = Call::kPop, .result = two},
             {.call = Call::kPop, .result = ValueId::kNil},
             {.call = Call::kPop, .result = ValueId::kUnknown}}};
  }
  if (name == "set") {
    return {
        model,
        {{.call = Call::kAdd, .argument = one, .result = ValueId::kTrue},
         {.call = Call::kAdd, .argument = two, .result = ValueId::kUnknown},
         {.call = Call::kRemove, .argument = one, .result = ValueId::kTrue},
         {.call = Call::kRemove, .argument = one, .result = ValueId::kFalse},
         {.call = Call::kContains, .argument = one, .result = ValueId::kTrue},
         {.call = Call::kContains, .argument = one, .result = ValueId::kFalse},
         {.call = Call::kRead, .result = both}}};
  }
  if (name == "mutex") {
    return {model,
            {{.call = Call::kAcquire, .result = ValueId::kUnknown},
             {.call = Call::kAcquire, .result = ValueId::kFalse},
             {.call = Call::kRelease}}};
  }
  return {model,
          {{.call = Call::kIncrease, .argument = one},
           {.call = Call::kIncrease, .argument = two},
           {.call = Call::kRead, .result = one},
           {.call = Call::kRead, .result = Small(values, 3)}}};
}

std::string TextOf(const History& history, const ValueTable& values) {
  std::string text;
  for (const Operation& each : history) {
    text += fmt::format(
        "{}({}) = {} [{}, {}]; ", static_cast<int>(each.call),
        values.TextOf(each.argument), values.TextOf(each.result), each.begin,
        each.end == kNever ? "never" : std::to_string(each.end));
  }
  return text;
}

// Compares with the definition, and looks at the order that is given.
void Compare(History history, const ModelKind& kind, ValueTable& values) {
  for (Operation& each : history) {
    if (each.end == kNever) each.result = ValueId::kUnknown;
  }
  const std::unique_ptr<Model> model = kind.make(values, ValueId::kNil);
  const Linearization found = Search(history, *model, {});
  const bool expected = IsLinearizable(history, *model);
  ASSERT_EQ(found.verdict, expected ? Verdict::kYes : Verdict::kNo)
      << kind.name << ": " << TextOf(history, values);
  ASSERT_TRUE(IsOrderOf(history, *model, found.order, expected))
      << kind.name << ": " << TextOf(history, values);
}

// Every way in which the begins and ends of `left` operations can follow each
// other; an operation may also never end.
void ForEachTiming(History& history, std::vector<int>& phase, uint64_t now,
                   const std::function<void()>& visit) {
  bool open = false;
  for (size_t i = 0; i < history.size(); ++i) {
    if (phase[i] == 2) continue;
    open = true;
    // Operations begin in their order: others are the same by renaming.
    if (phase[i] == 0 && i > 0 && phase[i - 1] == 0) continue;
    ++phase[i];
    (phase[i] == 1 ? history[i].begin : history[i].end) = now;
    ForEachTiming(history, phase, now + 1, visit);
    --phase[i];
    if (phase[i] == 1) {
      history[i].end = kNever;
      phase[i] = 2;
      ForEachTiming(history, phase, now, visit);
      phase[i] = 1;
    }
  }
  if (!open) visit();
}

void ForEachHistory(const Alphabet& alphabet, size_t length,
                    const std::function<void(const History&)>& visit) {
  const size_t most = alphabet.operations.size();
  size_t combinations = 1;
  for (size_t i = 0; i < length; ++i) combinations *= most;
  for (size_t number = 0; number < combinations; ++number) {
    History history;
    for (size_t i = 0, rest = number; i < length; ++i, rest /= most) {
      history.push_back(alphabet.operations[rest % most]);
    }
    std::vector<int> phase(length);
    ForEachTiming(history, phase, 1, [&] { visit(history); });
  }
}

TEST(Search, AgreesWithTheDefinitionOnEverySmallHistory) {
  for (const ModelKind& kind : ModelKinds()) {
    for (size_t length = 1; length <= 3; ++length) {
      ValueTable values;
      const std::string name(kind.name);
      const Alphabet alphabet = AlphabetOf(name.c_str(), values);
      ForEachHistory(alphabet, length, [&](const History& history) {
        Compare(history, kind, values);
      });
      if (HasFatalFailure()) return;
    }
  }
}

History RandomHistory(const Alphabet& alphabet, size_t length,
                      std::mt19937& random) {
  History history;
  std::vector<uint64_t> moments(length * 2);
  for (size_t i = 0; i < moments.size(); ++i) moments[i] = i + 1;
  std::ranges::shuffle(moments, random);
  for (size_t i = 0; i < length; ++i) {
    Operation operation =
        alphabet.operations[random() % alphabet.operations.size()];
    const auto [first, last] = std::minmax(moments[2 * i], moments[2 * i + 1]);
    operation.begin = first;
    // Short ones, so that some histories have an order.
    operation.end = std::min<uint64_t>(last, first + 1 + random() % 5);
    if (random() % 6 == 0) operation.end = kNever;
    history.push_back(operation);
  }
  return history;
}

TEST(Search, AgreesWithTheDefinitionOnRandomHistories) {
  std::mt19937 random(7);
  for (int round = 0; round < 4000; ++round) {
    for (const ModelKind& kind : ModelKinds()) {
      ValueTable values;
      const std::string name(kind.name);
      Compare(RandomHistory(AlphabetOf(name.c_str(), values), 4 + random() % 4,
                            random),
              kind, values);
    }
    if (HasFatalFailure()) return;
  }
}

TEST(Search, EndsWithinItsBudget) {
  // Twelve writes at once, and a read of what nobody wrote.
  ValueTable values;
  History history;
  for (int i = 0; i < 12; ++i) {
    history.push_back({.call = Call::kWrite,
                       .argument = Small(values, i),
                       .begin = static_cast<uint64_t>(i + 1),
                       .end = static_cast<uint64_t>(100 + i)});
  }
  history.push_back({.call = Call::kRead,
                     .result = Small(values, 99),
                     .begin = 50,
                     .end = 60});
  const std::unique_ptr<Model> model =
      FindModel("register")->make(values, ValueId::kNil);
  EXPECT_EQ(Search(history, *model, {}).verdict, Verdict::kNo);
  const Linearization timed =
      Search(history, *model, {.is_over = [] { return true; }});
  EXPECT_EQ(timed.verdict, Verdict::kUnknown);
  EXPECT_FALSE(timed.out_of_memory);
  const Linearization small = Search(history, *model, {.max_bytes = 100000});
  EXPECT_EQ(small.verdict, Verdict::kUnknown);
  EXPECT_TRUE(small.out_of_memory);
}

TEST(Search, EqualOperationsThatNeverEndAreNoBurden) {
  ValueTable values;
  History history;
  uint64_t now = 0;
  for (int i = 0; i < 200; ++i) {
    history.push_back({.call = Call::kWrite,
                       .argument = Small(values, i % 3),
                       .begin = ++now});
    history.push_back({.call = Call::kRead,
                       .result = Small(values, i % 3),
                       .begin = now + 1,
                       .end = now + 2});
    now += 2;
  }
  const std::unique_ptr<Model> model =
      FindModel("register")->make(values, ValueId::kNil);
  const Linearization found = Search(history, *model, {});
  EXPECT_EQ(found.verdict, Verdict::kYes);
  EXPECT_LT(found.num_configurations, 10000U);
}

}  // namespace
}  // namespace fairlead::lin
