// The standard library's own: regular expressions, containers, algorithms.

#include <algorithm>
#include <deque>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

struct Entry {
  std::string name;
  std::vector<double> values;
};

std::vector<Entry> Read(std::istream& in) {
  static const std::regex line_shape("^\\s*([a-z]\\w*)\\s*:\\s*(.*)$");
  static const std::regex number("[-+]?\\d+(\\.\\d*)?([eE][-+]?\\d+)?");
  std::vector<Entry> entries;
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, line_shape)) continue;
    Entry entry{match[1], {}};
    const std::string rest = match[2];
    for (std::sregex_iterator at(rest.begin(), rest.end(), number), end;
         at != end; ++at) {
      entry.values.push_back(std::stod(at->str()));
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

int main() {
  std::istringstream text("a: 1 2 3\nb: 4.5 -6e2\n");
  std::vector<Entry> entries = Read(text);
  std::map<std::string, double> sums;
  std::unordered_map<size_t, std::deque<std::shared_ptr<Entry>>> by_size;
  std::set<double, std::greater<>> all;
  for (const Entry& entry : entries) {
    sums[entry.name] =
        std::accumulate(entry.values.begin(), entry.values.end(), 0.0);
    by_size[entry.values.size()].push_back(std::make_shared<Entry>(entry));
    all.insert(entry.values.begin(), entry.values.end());
  }
  std::mt19937 random(1);
  std::vector<double> shuffled(all.begin(), all.end());
  std::shuffle(shuffled.begin(), shuffled.end(), random);
  std::sort(shuffled.begin(), shuffled.end());
  std::function<double(double)> half = [](double x) { return x / 2; };
  std::transform(shuffled.begin(), shuffled.end(), shuffled.begin(), half);
  std::copy(shuffled.begin(), shuffled.end(),
            std::ostream_iterator<double>(std::cout, "\n"));
  return sums.size() == 2 && by_size.size() == 2 ? 0 : 1;
}
