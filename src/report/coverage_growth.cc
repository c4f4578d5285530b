#include <fmt/format.h>

#include <algorithm>

#include "report/coverage.h"

namespace fairlead::report {
namespace {

double Seconds(uint64_t nanoseconds) {
  return static_cast<double>(nanoseconds) / 1e9;
}

}  // namespace

std::string GrowthCsv(const Coverage& coverage) {
  std::string text = "executions,seconds,exposed\n";
  for (const finding::Growth& point : coverage.growth) {
    text += fmt::format("{},{:.3f},{}\n", point.executions,
                        Seconds(point.nanoseconds), point.exposed);
  }
  return text;
}

std::string GrowthSvg(const Coverage& coverage) {
  constexpr double kWidth = 640;
  constexpr double kHeight = 320;
  constexpr double kMargin = 48;
  const double executions =
      static_cast<double>(std::max<uint64_t>(coverage.num_executions, 1));
  const double most = coverage.growth.empty()
                          ? 1
                          : static_cast<double>(std::max<uint64_t>(
                                coverage.growth.back().exposed, 1));
  const auto x = [&](double value) {
    return kMargin + (kWidth - 2 * kMargin) * value / executions;
  };
  const auto y = [&](double value) {
    return kHeight - kMargin - (kHeight - 2 * kMargin) * value / most;
  };
  std::string path = fmt::format("M{:.1f},{:.1f}", x(0), y(0));
  double last = 0;
  for (const finding::Growth& point : coverage.growth) {
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
      kMargin - 12, last, kHeight - kMargin + 20, coverage.num_executions);
}

}  // namespace fairlead::report
