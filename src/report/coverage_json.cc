#include "report/coverage.h"

namespace fairlead::report {
namespace {

using finding::Estimate;
using finding::Tally;

Json TallyJson(const Tally& tally) {
  return {{"exposed", tally.exposed},
          {"open", tally.open},
          {"failed", tally.failed}};
}

Json EstimateJson(const std::optional<Estimate>& estimate) {
  if (!estimate) return nullptr;
  return {{"unseen", estimate->unseen},
          {"next_execution", estimate->next},
          {"ten_minutes", estimate->in_time}};
}

double Seconds(uint64_t nanoseconds) {
  return static_cast<double>(nanoseconds) / 1e9;
}

}  // namespace

Json CoverageJson(const Coverage& coverage) {
  Json idioms = Json::object();
  for (size_t idiom = 1; idiom < coverage.counts.by_idiom.size(); ++idiom) {
    idioms[std::to_string(idiom)] = TallyJson(coverage.counts.by_idiom[idiom]);
  }
  Json files = Json::object();
  for (const auto& [file, tally] : coverage.counts.by_file) {
    files[file] = TallyJson(tally);
  }
  Json functions = Json::object();
  for (const auto& [function, tally] : coverage.counts.by_function) {
    functions[function] = TallyJson(tally);
  }
  Json growth = Json::array();
  for (const finding::Growth& point : coverage.growth) {
    growth.push_back({{"executions", point.executions},
                      {"seconds", Seconds(point.nanoseconds)},
                      {"exposed", point.exposed}});
  }
  return {{"program", coverage.program},
          {"executions", coverage.num_executions},
          {"all", TallyJson(coverage.counts.all)},
          {"idioms", idioms},
          {"files", files},
          {"functions", functions},
          {"growth", growth},
          {"estimate", EstimateJson(coverage.estimate)}};
}

Json LinesJson(const Coverage& coverage) {
  Json lines = Json::array();
  for (const finding::LineCoverage& line : coverage.counts.lines) {
    Json pairs = Json::array();
    for (const finding::LinePair& pair : line.pairs) {
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
  return {{"program", coverage.program}, {"lines", lines}};
}

}  // namespace fairlead::report
