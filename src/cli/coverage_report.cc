#include "cli/coverage_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/live_line.h"

namespace fairlead::cli {
namespace {

using explore::Estimate;
using explore::Memo;
using explore::Tally;

constexpr double kTenMinutes = 600;
constexpr size_t kMaxRows = 10;  // of files and functions; JSON has all

std::string TallyRow(std::string_view name, const Tally& tally) {
  return fmt::format("  {:<40} {:>9} {:>9} {:>9}\n", name,
                     Grouped(tally.exposed), Grouped(tally.open),
                     Grouped(tally.failed));
}

Json TallyJson(const Tally& tally) {
  return {{"exposed", tally.exposed},
          {"open", tally.open},
          {"failed", tally.failed}};
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
std::string Curve(const Memo& memo) {
  constexpr size_t kWidth = 60;
  constexpr std::string_view kBars[] = {" ", "▁", "▂", "▃", "▄",
                                        "▅", "▆", "▇", "█"};
  if (memo.growth().empty() || memo.num_executions() == 0) return "";
  std::string text;
  size_t next = 0;
  uint64_t exposed = 0;
  const uint64_t most = std::max<uint64_t>(memo.growth().back().exposed, 1);
  for (size_t column = 1; column <= kWidth; ++column) {
    const uint64_t until = memo.num_executions() * column / kWidth;
    while (next < memo.growth().size() &&
           memo.growth()[next].executions <= until) {
      exposed = memo.growth()[next++].exposed;
    }
    text += kBars[exposed * 8 / most];
  }
  return text;
}

std::string Verdict(const Estimate& estimate) {
  if (estimate.in_time < .5) {
    return "ten more minutes would hardly bring a new one: time for another "
           "input";
  }
  return fmt::format("ten more minutes would bring about {:.0f} new ones",
                     estimate.in_time);
}

// The last lines: what is left, and whether it is worth going on.
std::string LeftText(const std::optional<Estimate>& estimate) {
  if (!estimate) {
    return "how much is left cannot be estimated from fewer than two watched "
           "executions\n";
  }
  return fmt::format(
      "about {:.0f} more can come up by chance; the next execution is "
      "expected to show {:.2g} new ones\n{}\n",
      estimate->unseen, estimate->next, Verdict(*estimate));
}

Json EstimateJson(const std::optional<Estimate>& estimate) {
  if (!estimate) return nullptr;
  return {{"unseen", estimate->unseen},
          {"next_execution", estimate->next},
          {"ten_minutes", estimate->in_time}};
}

std::string EachPattern(const explore::Coverage& coverage) {
  std::string text;
  for (size_t idiom = 1; idiom < coverage.by_idiom.size(); ++idiom) {
    text += TallyRow(fmt::format("idiom {}", idiom), coverage.by_idiom[idiom]);
  }
  return text;
}

// Idiom 1 is one step between threads, the others are made of two.
std::string GroupedPatterns(const explore::Coverage& coverage) {
  Tally two;
  for (size_t idiom = 2; idiom < coverage.by_idiom.size(); ++idiom) {
    two.exposed += coverage.by_idiom[idiom].exposed;
    two.open += coverage.by_idiom[idiom].open;
    two.failed += coverage.by_idiom[idiom].failed;
  }
  return TallyRow("between two accesses", coverage.by_idiom[1]) +
         TallyRow("between three or four accesses", two);
}

double Seconds(uint64_t nanoseconds) {
  return static_cast<double>(nanoseconds) / 1e9;
}

}  // namespace

std::string CoverageText(const CoverageReport& report, Patterns patterns) {
  const bool each = patterns == Patterns::kEach;
  std::string text =
      fmt::format("{}: {} {} in {} watched executions\n", report.program,
                  Grouped(report.coverage.all.exposed),
                  each ? "iRoots exposed" : "interleavings of accesses tested",
                  Grouped(report.memo.num_executions()));
  text += fmt::format("\n  {:<40} {:>9} {:>9} {:>9}\n", "",
                      each ? "exposed" : "tested", each ? "open" : "untested",
                      each ? "failed" : "in vain");
  text +=
      each ? EachPattern(report.coverage) : GroupedPatterns(report.coverage);
  text += TallyRow("all", report.coverage.all);
  text += Table("by file", report.coverage.by_file);
  text += Table("by function", report.coverage.by_function);
  const std::string curve = Curve(report.memo);
  if (!curve.empty()) {
    text += fmt::format("\ntested, by executions\n  {}\n", curve);
  }
  text += "\n" + LeftText(EstimateOf(report.memo, kTenMinutes));
  return text;
}

Json CoverageJson(const CoverageReport& report) {
  Json idioms = Json::object();
  for (size_t idiom = 1; idiom < report.coverage.by_idiom.size(); ++idiom) {
    idioms[std::to_string(idiom)] = TallyJson(report.coverage.by_idiom[idiom]);
  }
  Json files = Json::object();
  for (const auto& [file, tally] : report.coverage.by_file) {
    files[file] = TallyJson(tally);
  }
  Json functions = Json::object();
  for (const auto& [function, tally] : report.coverage.by_function) {
    functions[function] = TallyJson(tally);
  }
  Json growth = Json::array();
  for (const Memo::Growth& point : report.memo.growth()) {
    growth.push_back({{"executions", point.executions},
                      {"seconds", Seconds(point.nanoseconds)},
                      {"exposed", point.exposed}});
  }
  return {{"program", report.program},
          {"executions", report.memo.num_executions()},
          {"all", TallyJson(report.coverage.all)},
          {"idioms", idioms},
          {"files", files},
          {"functions", functions},
          {"growth", growth},
          {"estimate", EstimateJson(EstimateOf(report.memo, kTenMinutes))}};
}

std::string LinesText(const CoverageReport& report) {
  std::string text;
  for (const explore::LineCoverage& line : report.coverage.lines) {
    text += fmt::format("{}:{}: {} of {} pairs tested\n", line.file, line.line,
                        line.num_tested(), line.pairs.size());
    for (const explore::LinePair& pair : line.pairs) {
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

Json LinesJson(const CoverageReport& report) {
  Json lines = Json::array();
  for (const explore::LineCoverage& line : report.coverage.lines) {
    Json pairs = Json::array();
    for (const explore::LinePair& pair : line.pairs) {
      pairs.push_back({{"other", pair.other},
                       {"mine", pair.mine},
                       {"theirs", pair.theirs},
                       {"here_first", pair.here_first},
                       {"exposures", pair.exposures}});
    }
    lines.push_back({{"file", line.file},
                     {"line", line.line},
                     {"tested", line.num_tested()},
                     {"pairs", pairs}});
  }
  return {{"program", report.program}, {"lines", lines}};
}

std::string GrowthCsv(const Memo& memo) {
  std::string text = "executions,seconds,exposed\n";
  for (const Memo::Growth& point : memo.growth()) {
    text += fmt::format("{},{:.3f},{}\n", point.executions,
                        Seconds(point.nanoseconds), point.exposed);
  }
  return text;
}

std::string GrowthSvg(const CoverageReport& report) {
  constexpr double kWidth = 640;
  constexpr double kHeight = 320;
  constexpr double kMargin = 48;
  const Memo& memo = report.memo;
  const double executions =
      static_cast<double>(std::max<uint64_t>(memo.num_executions(), 1));
  const double most = memo.growth().empty()
                          ? 1
                          : static_cast<double>(std::max<uint64_t>(
                                memo.growth().back().exposed, 1));
  const auto x = [&](double value) {
    return kMargin + (kWidth - 2 * kMargin) * value / executions;
  };
  const auto y = [&](double value) {
    return kHeight - kMargin - (kHeight - 2 * kMargin) * value / most;
  };
  std::string path = fmt::format("M{:.1f},{:.1f}", x(0), y(0));
  double last = 0;
  for (const Memo::Growth& point : memo.growth()) {
    const auto at = static_cast<double>(point.executions);
    path += fmt::format(" L{:.1f},{:.1f}", x(at), y(last));
    last = static_cast<double>(point.exposed);
    path += fmt::format(" L{:.1f},{:.1f}", x(at), y(last));
  }
  path += fmt::format(" L{:.1f},{:.1f}", x(executions), y(last));
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
      "<path d=\"M{2},{2} L{2},{3} L{4},{3}\" fill=\"none\" "
      "stroke=\"#888\"/>\n"
      "<path d=\"{5}\" fill=\"none\" stroke=\"#0062a8\" "
      "stroke-width=\"2\"/>\n"
      "<text x=\"{2}\" y=\"{6}\">interleavings tested: {7}</text>\n"
      "<text x=\"{4}\" y=\"{8}\" text-anchor=\"end\">{9} executions</text>\n"
      "</svg>\n",
      kWidth, kHeight, kMargin, kHeight - kMargin, kWidth - kMargin, path,
      kMargin - 12, last, kHeight - kMargin + 20, memo.num_executions());
}

}  // namespace fairlead::cli
