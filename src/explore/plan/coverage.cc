#include "explore/plan/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fairlead::explore {
namespace {

namespace iroot = analysis::iroot;
using finding::LinePair;
using finding::Tally;

void Count(Tally& tally, const MemoEntry& entry) {
  if (entry.exposed()) {
    ++tally.exposed;
  } else if (entry.attempts != 0) {
    ++tally.failed;
  } else {
    ++tally.open;
  }
}

struct At {
  std::string file;
  uint32_t line;
  auto operator<=>(const At&) const = default;
};

At PlaceOf(const iroot::Step& step, const Memo& memo) {
  const auto fact = memo.facts().find(step.place);
  if (fact == memo.facts().end()) return {"", 0};
  return {fact->second.place.file, fact->second.place.line};
}

std::string FunctionOf(const iroot::Step& step, const Memo& memo) {
  const auto fact = memo.facts().find(step.place);
  return fact == memo.facts().end() ? "" : fact->second.function;
}

}  // namespace

finding::Coverage CoverageOf(const Memo& memo, bool libraries) {
  finding::Coverage coverage;
  coverage.by_idiom.resize(iroot::kNumIdioms + 1);
  std::map<At, std::vector<LinePair>> lines;
  for (const MemoEntry& entry : memo.entries()) {
    if (entry.library && !libraries) continue;
    if (!entry.exposed() && !entry.predicted && entry.attempts == 0) continue;
    Count(coverage.all, entry);
    Count(coverage.by_idiom[entry.root.idiom], entry);
    std::set<std::string> files;
    std::set<std::string> functions;
    for (const iroot::Step& step : entry.root.used()) {
      files.insert(PlaceOf(step, memo).file);
      functions.insert(FunctionOf(step, memo));
    }
    for (const std::string& file : files) Count(coverage.by_file[file], entry);
    for (const std::string& function : functions) {
      Count(coverage.by_function[function], entry);
    }
    if (entry.root.idiom != 1) continue;
    for (size_t mine = 0; mine < 2; ++mine) {
      const iroot::Step& own = entry.root.steps[mine];
      const iroot::Step& other = entry.root.steps[1 - mine];
      const At at = PlaceOf(own, memo);
      const At there = PlaceOf(other, memo);
      if (at.file.empty()) continue;
      lines[at].push_back({fmt::format("{}:{}", there.file, there.line),
                           std::string(iroot::WordOf(own.operation)),
                           std::string(iroot::WordOf(other.operation)),
                           mine == 0, entry.exposures});
    }
  }
  for (auto& [at, pairs] : lines) {
    std::ranges::sort(pairs, {}, [](const LinePair& pair) {
      return std::tuple(pair.other, pair.here_first, pair.mine, pair.theirs);
    });
    coverage.lines.push_back({at.file, at.line, std::move(pairs)});
  }
  return coverage;
}

}  // namespace fairlead::explore
