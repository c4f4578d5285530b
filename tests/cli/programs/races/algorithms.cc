// Correct parallel algorithms of the standard library, which run on TBB.
// RACES: none

#include <algorithm>
#include <execution>
#include <numeric>
#include <vector>

int main() {
  std::vector<int> numbers(64);
  std::iota(numbers.begin(), numbers.end(), 0);
  std::for_each(std::execution::par, numbers.begin(), numbers.end(),
                [](int& number) { number = 64 - number; });
  std::sort(std::execution::par, numbers.begin(), numbers.end());
  const int sum =
      std::reduce(std::execution::par, numbers.begin(), numbers.end(), 0);
  return numbers[0] == 1 && sum == 2080 ? 0 : 1;
}
