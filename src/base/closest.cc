#include "base/closest.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

namespace fairlead {
namespace {

// Longer words are no slips of the hand, and the table below is quadratic.
constexpr size_t kMaxLetters = 64;

// Letters to insert, take away, change, or exchange with their neighbour: the
// optimal string alignment distance.
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> cost(a.size() + 1,
                                        std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1,
                             cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string ClosestOf(std::string_view word,
                      std::span<const std::string> known) {
  const size_t letters = word.find_first_not_of('-') == std::string_view::npos
                             ? 0
                             : word.size() - word.find_first_not_of('-');
  if (letters < 2 || word.size() > kMaxLetters) return "";
  // A third of the letters may be wrong.
  size_t best = std::max<size_t>(1, letters / 3) + 1;
  std::string closest;
  for (const std::string& each : known) {
    if (each.size() > kMaxLetters) continue;
    const bool begins = letters >= 3 && each.starts_with(word);
    const size_t distance = begins ? 1 : Distance(word, each);
    if (distance >= best) continue;
    best = distance;
    closest = each;
  }
  return closest;
}

std::string DidYouMean(std::string_view word,
                       std::span<const std::string> known) {
  const std::string closest = ClosestOf(word, known);
  return closest.empty() ? "" : fmt::format("did you mean '{}'?", closest);
}

}  // namespace fairlead
