#include "report/coverage.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace fairlead::report {
namespace {

using finding::Estimate;
using finding::Tally;

constexpr size_t kMaxRows = 10;  // of files and functions; JSON has all

std::string TallyRow(std::string_view name, const Tally& tally) {
  return fmt::format("  {:<40} {:>9} {:>9} {:>9}\n", name,
                     Grouped(tally.exposed), Grouped(tally.open),
                     Grouped(tally.failed));
}

// Those with most left to test first.
std::string Table(std::string_view title,
                  const std::map<std::string, Tally>& tallies) {
  std::vector<std::pair<std::string, Tally>> rows(tallies.begin(),
                                                  tallies.end());
  std::ranges::sort(rows, [](const auto& one, const auto& other) {
    const auto left = [](const auto& row) {
      return std::pair(row.second.open + row.second.failed, row.second.exposed);
    };
    return left(one) != left(other) ? left(one) > left(other)
                                    : one.first < other.first;
  });
  std::string text = fmt::format("\n{}\n", title);
  for (size_t i = 0; i < rows.size() && i < kMaxRows; ++i) {
    text += TallyRow(rows[i].first.empty() ? "(not known)" : rows[i].first,
                     rows[i].second);
  }
  if (rows.size() > kMaxRows) {
    text += fmt::format("  ({} more; --json has all)\n",
                        Grouped(rows.size() - kMaxRows));
  }
  return text;
}

// How the number of exposed iRoots grew, with the executions from left to
// right.
std::string Curve(const Coverage& coverage) {
  constexpr size_t kWidth = 60;
  constexpr std::string_view kBars[] = {" ", "▁", "▂", "▃", "▄",
                                        "▅", "▆", "▇", "█"};
  if (coverage.growth.empty() || coverage.num_executions == 0) return "";
  std::string text;
  size_t next = 0;
  uint64_t exposed = 0;
  const uint64_t most = std::max<uint64_t>(coverage.growth.back().exposed, 1);
  for (size_t column = 1; column <= kWidth; ++column) {
    const uint64_t until = coverage.num_executions * column / kWidth;
    while (next < coverage.growth.size() &&
           coverage.growth[next].executions <= until) {
      exposed = coverage.growth[next++].exposed;
    }
    text += kBars[exposed * 8 / most];
  }
  return text;
}

std::string Verdict(const Estimate& estimate, uint64_t open) {
  if (estimate.in_time < .5 && open != 0) {
    return "ten more minutes would hardly bring a new one by chance";
  }
  if (estimate.in_time < .5) {
    return "ten more minutes would hardly bring a new one: time for another "
           "input";
  }
  return fmt::format("ten more minutes would bring about {:.0f} new ones",
                     estimate.in_time);
}

// From fewer executions that were watched, that nothing came twice or that
// everything did says little.
constexpr uint64_t kFewestWatched = 10;

// The last lines: what is left, and whether it is worth going on.
std::string LeftText(const Coverage& coverage) {
  const std::optional<Estimate>& estimate = coverage.estimate;
  const uint64_t open = coverage.counts.all.open;
  const std::string untested =
      open == 0 ? ""
                : fmt::format("{} predicted, and not tested yet; ",
                              open == 1 ? "1 is" : Grouped(open) + " are");
  if (!estimate || coverage.num_executions < kFewestWatched) {
    return fmt::format(
        "{}how much is left cannot be estimated from fewer than {} watched "
        "executions\n",
        untested, kFewestWatched);
  }
  return fmt::format(
      "{}about {:.0f} more can come up by chance; the next execution is "
      "expected to show {:.2g} new ones\n{}\n",
      untested, estimate->unseen, estimate->next, Verdict(*estimate, open));
}

std::string EachPattern(const finding::Coverage& coverage) {
  std::string text;
  for (size_t idiom = 1; idiom < coverage.by_idiom.size(); ++idiom) {
    text += TallyRow(fmt::format("idiom {}", idiom), coverage.by_idiom[idiom]);
  }
  return text;
}

// Idiom 1 is one step between threads, the others are made of two.
std::string GroupedPatterns(const finding::Coverage& coverage) {
  Tally two;
  for (size_t idiom = 2; idiom < coverage.by_idiom.size(); ++idiom) {
    two.exposed += coverage.by_idiom[idiom].exposed;
    two.open += coverage.by_idiom[idiom].open;
    two.failed += coverage.by_idiom[idiom].failed;
  }
  return TallyRow("between two accesses", coverage.by_idiom[1]) +
         TallyRow("between three or four accesses", two);
}

}  // namespace

std::string CoverageText(const Coverage& coverage, Patterns patterns) {
  const bool each = patterns == Patterns::kEach;
  const uint64_t tested = coverage.counts.all.exposed;
  const uint64_t executions = coverage.num_executions;
  std::string text = fmt::format(
      "{}: {} {} in {} watched {}\n", coverage.program, Grouped(tested),
      each          ? (tested == 1 ? "iRoot exposed" : "iRoots exposed")
      : tested == 1 ? "interleaving of accesses tested"
                    : "interleavings of accesses tested",
      Grouped(executions), executions == 1 ? "execution" : "executions");
  text += fmt::format("\n  {:<40} {:>9} {:>9} {:>9}\n", "",
                      each ? "exposed" : "tested", each ? "open" : "untested",
                      each ? "failed" : "in vain");
  text +=
      each ? EachPattern(coverage.counts) : GroupedPatterns(coverage.counts);
  text += TallyRow("all", coverage.counts.all);
  text += Table("by file", coverage.counts.by_file);
  text += Table("by function", coverage.counts.by_function);
  const std::string curve = Curve(coverage);
  if (!curve.empty()) {
    text += fmt::format("\ntested, by executions\n  {}\n", curve);
  }
  text += "\n" + LeftText(coverage);
  return text;
}

std::string LinesText(const Coverage& coverage) {
  std::string text;
  for (const finding::LineCoverage& line : coverage.counts.lines) {
    text += fmt::format("{}:{}: {} of {} pairs tested\n", line.file, line.line,
                        line.num_tested(), line.pairs.size());
    for (const finding::LinePair& pair : line.pairs) {
      text += fmt::format(
          "  {:<8} {}\n", pair.exposures != 0 ? "tested" : "untested",
          pair.here_first ? fmt::format("{} => {} at {}", pair.mine,
                                        pair.theirs, pair.other)
                          : fmt::format("{} at {} => {}", pair.theirs,
                                        pair.other, pair.mine));
    }
  }
  if (text.empty()) text = "no conflicting pairs of lines are known\n";
  return text;
}

}  // namespace fairlead::report
