// fmt, with formatters of its own, ranges and times.

#include <fmt/chrono.h>
#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <map>
#include <string>
#include <tuple>
#include <vector>

struct Point {
  double x, y;
};

template <>
struct fmt::formatter<Point> : fmt::formatter<double> {
  template <typename Context>
  auto format(const Point& point, Context& context) const {
    auto out = fmt::format_to(context.out(), "(");
    context.advance_to(out);
    out = fmt::formatter<double>::format(point.x, context);
    out = fmt::format_to(out, ", ");
    context.advance_to(out);
    out = fmt::formatter<double>::format(point.y, context);
    return fmt::format_to(out, ")");
  }
};

int main() {
  const std::vector<int> numbers = {1, 2, 3};
  const std::map<std::string, double> prices = {{"a", 1.5}, {"b", 2.25}};
  fmt::print("{:>8} {:<8.3f} {:#x}\n", "word", 3.14159, 255);
  fmt::print("{} {} {}\n", numbers, prices, std::make_tuple(1, 'c', "text"));
  fmt::print("{:.2f} {}\n", Point{1, 2}, std::chrono::milliseconds(1500));
  std::string text = fmt::format("{0} {1} {0}", "left", "right");
  fmt::format_to(std::back_inserter(text), "{}", fmt::join(numbers, ", "));
  return text.size() > 10 ? 0 : 1;
}
