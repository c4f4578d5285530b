// The eleven patterns against the conflict graph, over every small trace, and
// the figures that the paper gives of its example.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/asset/pattern.h"

namespace fairlead::analysis::asset {
namespace {

using Trace = std::vector<UnitAccess>;

// "Ra0 Wb1": kind, unit, location. Each unit is of a thread of its own.
std::string TextOf(const Trace& trace) {
  std::string text;
  for (const UnitAccess& each : trace) {
    text += each.way == Way::kRead ? 'R' : 'W';
    text += static_cast<char>('a' + each.unit);
    text += static_cast<char>('0' + each.location);
    text += ' ';
  }
  return text;
}

// Every trace of so many accesses of so many units.
void ForEachTrace(size_t length, uint32_t units, uint32_t locations,
                  const std::function<void(const Trace&)>& visit) {
  const uint32_t each = units * locations * 2;
  Trace trace(length);
  std::vector<uint32_t> digits(length);
  while (true) {
    for (size_t i = 0; i < length; ++i) {
      const uint32_t unit = digits[i] % units;
      trace[i] = {
          .unit = unit,
          .thread = unit,
          .location = digits[i] / units % locations,
          .way = digits[i] / units / locations == 0 ? Way::kRead : Way::kWrite};
    }
    visit(trace);
    size_t at = 0;
    while (at < length && ++digits[at] == each) digits[at++] = 0;
    if (at == length) return;
  }
}

// Every unit that writes one location of the set writes all.
bool WritesAllOrNothing(const Trace& trace, uint32_t locations) {
  std::map<uint32_t, std::set<uint32_t>> written;
  for (const UnitAccess& each : trace) {
    if (each.way == Way::kWrite) written[each.unit].insert(each.location);
  }
  return std::ranges::all_of(written, [&](const auto& unit) {
    return unit.second.size() == locations;
  });
}

// Some order of the units, each in one piece, has all conflicts in the same
// order: the definition.
bool IsSerializable(const Trace& trace, uint32_t units) {
  std::vector<uint32_t> order(units);
  for (uint32_t i = 0; i < units; ++i) order[i] = i;
  do {
    const auto place = [&](uint32_t unit) {
      return std::ranges::find(order, unit) - order.begin();
    };
    bool kept = true;
    for (size_t i = 0; i < trace.size(); ++i) {
      for (size_t j = i + 1; j < trace.size(); ++j) {
        const UnitAccess& a = trace[i];
        const UnitAccess& b = trace[j];
        if (a.unit == b.unit || a.location != b.location) continue;
        if (a.way == Way::kRead && b.way == Way::kRead) continue;
        kept = kept && place(a.unit) < place(b.unit);
      }
    }
    if (kept) return true;
  } while (std::ranges::next_permutation(order).found);
  return false;
}

struct Count {
  size_t traces = 0;
  size_t cycles = 0;
  size_t without_pattern = 0;
};

Count CheckAll(size_t length, uint32_t units, uint32_t locations) {
  Count count;
  ForEachTrace(length, units, locations, [&](const Trace& trace) {
    const bool cycle = !FindCycle(trace).empty();
    const bool match = FindMatch(trace).has_value();
    ++count.traces;
    count.cycles += cycle;
    count.without_pattern += cycle && !match;
    ASSERT_EQ(cycle, !IsSerializable(trace, units)) << TextOf(trace);
    ASSERT_TRUE(cycle || !match) << TextOf(trace);
    if (WritesAllOrNothing(trace, locations)) {
      ASSERT_EQ(cycle, match) << TextOf(trace);
    }
  });
  return count;
}

TEST(AssetPattern, AMatchIsACycleInEveryTraceOfTwoUnits) {
  for (size_t length = 1; length <= 6; ++length) CheckAll(length, 2, 2);
}

TEST(AssetPattern, AMatchIsACycleInEveryTraceOfThreeUnits) {
  for (size_t length = 1; length <= 5; ++length) CheckAll(length, 3, 2);
}

TEST(AssetPattern, AMatchIsACycleInEveryTraceOfOneOrThreeLocations) {
  for (size_t length = 1; length <= 7; ++length) CheckAll(length, 2, 1);
  for (size_t length = 1; length <= 5; ++length) CheckAll(length, 2, 3);
}

// Of traces of four accesses, half begin with either unit.
TEST(AssetPattern, WriteSkewIsACycleWithoutAPattern) {
  const Count count = CheckAll(4, 2, 2);
  EXPECT_EQ(count.traces, 4096u);
  EXPECT_EQ(count.without_pattern, 2 * 36u);
  const Trace skew = {{0, 0, 0, Way::kRead},
                      {1, 1, 1, Way::kRead},
                      {0, 0, 1, Way::kWrite},
                      {1, 1, 0, Way::kWrite}};
  EXPECT_EQ(FindCycle(skew).size(), 2u);
  EXPECT_FALSE(FindMatch(skew));
}

TEST(AssetPattern, ACycleOfThreeUnitsIsFound) {
  const Trace trace = {{0, 0, 0, Way::kRead}, {1, 1, 0, Way::kWrite},
                       {1, 1, 1, Way::kRead}, {2, 2, 1, Way::kWrite},
                       {2, 2, 2, Way::kRead}, {0, 0, 2, Way::kWrite}};
  EXPECT_EQ(FindCycle(trace).size(), 3u);
  EXPECT_FALSE(FindMatch(trace));
}

TEST(AssetPattern, EachPatternMatchesItselfAndNoUnitsOfOneThread) {
  std::set<int> numbers;
  for (const Pattern& pattern : Patterns()) {
    Trace trace;
    for (size_t i = 0; i < pattern.num_steps(); ++i) {
      const auto unit = static_cast<uint32_t>(pattern.steps[i].side);
      trace.push_back(
          {unit, unit, pattern.steps[i].location, pattern.steps[i].way});
    }
    EXPECT_TRUE(Matches(pattern, trace)) << int{pattern.number};
    for (UnitAccess& each : trace) each.thread = 0;
    EXPECT_FALSE(Matches(pattern, trace)) << int{pattern.number};
    EXPECT_FALSE(pattern.sentence.empty());
    numbers.insert(pattern.number);
  }
  EXPECT_EQ(numbers.size(), 11u);
}

TEST(AssetPattern, ThePapersTraceMatchesItsFirstPattern) {
  // R1(x) R1(y) W2(x) W2(y) W1(z) W1(x), section 3.1.
  const Trace trace = {{0, 0, 0, Way::kRead},  {0, 0, 1, Way::kRead},
                       {1, 1, 0, Way::kWrite}, {1, 1, 1, Way::kWrite},
                       {0, 0, 2, Way::kWrite}, {0, 0, 0, Way::kWrite}};
  const auto match = FindMatch(trace);
  ASSERT_TRUE(match);
  EXPECT_EQ(match->pattern->number, 1);
}

// The account of section 2: what each thread does once the second has been
// started. Location 0 is x.c, 1 is x.s, 2 and up are others; statements that
// touch neither are reads of their own.
struct Account {
  Trace copies = {{0, 0, 0, Way::kRead},  {0, 0, 2, Way::kWrite},
                  {0, 0, 1, Way::kRead},  {0, 0, 3, Way::kWrite},
                  {0, 0, 10, Way::kRead}, {0, 0, 11, Way::kRead},
                  {0, 0, 12, Way::kRead}};
  Trace credits = {{1, 1, 13, Way::kRead}, {1, 1, 14, Way::kRead},
                   {1, 1, 15, Way::kRead}, {1, 1, 0, Way::kRead},
                   {1, 1, 0, Way::kWrite}, {1, 1, 1, Way::kRead},
                   {1, 1, 1, Way::kWrite}};
};

// Of all interleavings of both, `visit` gets those whose every block (accesses
// under one acquisition of x, by index of the first and one past the last) is
// in one piece.
using Blocks = std::vector<std::pair<size_t, size_t>>;
void Interleave(const Account& account, const Blocks& copy_blocks,
                const Blocks& credit_blocks,
                const std::function<void(const Trace&)>& visit) {
  Trace trace;
  const auto inside = [](const Blocks& blocks, size_t at) {
    return std::ranges::any_of(blocks, [&](const auto& block) {
      return at > block.first && at < block.second;
    });
  };
  const std::function<void(size_t, size_t)> go = [&](size_t a, size_t b) {
    if (a == account.copies.size() && b == account.credits.size()) {
      visit(trace);
      return;
    }
    const bool copy_can =
        a < account.copies.size() && !inside(credit_blocks, b);
    if (copy_can) {
      trace.push_back(account.copies[a]);
      go(a + 1, b);
      trace.pop_back();
    }
    if (b < account.credits.size() && !inside(copy_blocks, a)) {
      trace.push_back(account.credits[b]);
      go(a, b + 1);
      trace.pop_back();
    }
  };
  go(0, 0);
}

TEST(AssetPattern, ThePapersNumbersOfTheAccount) {
  const auto ninth = std::ranges::find_if(
      Patterns(), [](const Pattern& each) { return each.number == 9; });
  const auto is_the_paper = [&](const Trace& trace) {
    // R(x.c) W(x.c) W(x.s) R(x.s): the first variant, u the copy.
    const auto at = [&](uint32_t unit, uint32_t location, Way way) {
      return std::ranges::find_if(trace,
                                  [&](const UnitAccess& each) {
                                    return each.unit == unit &&
                                           each.location == location &&
                                           each.way == way;
                                  }) -
             trace.begin();
    };
    return at(0, 0, Way::kRead) < at(1, 0, Way::kWrite) &&
           at(1, 1, Way::kWrite) < at(0, 1, Way::kRead);
  };
  const Account account;
  size_t all = 0;
  size_t matching = 0;
  Interleave(account, {}, {}, [&](const Trace& trace) {
    ++all;
    matching += Matches(*ninth, trace) && is_the_paper(trace);
  });
  EXPECT_EQ(all, 3432u);
  EXPECT_EQ(matching, 30u);

  size_t feasible = 0;
  Interleave(account, {{0, 2}, {2, 4}}, {{3, 7}}, [&](const Trace& trace) {
    const bool violates = Matches(*ninth, trace);
    EXPECT_EQ(violates, !FindCycle(trace).empty());
    feasible += violates;
  });
  EXPECT_EQ(feasible, 4u);
}

}  // namespace
}  // namespace fairlead::analysis::asset
