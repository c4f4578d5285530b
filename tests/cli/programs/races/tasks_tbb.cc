// A correct program with TBB.
// RACES: none

#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_group.h>

#include <vector>

int main() {
  std::vector<int> numbers(32);
  tbb::parallel_for(0, 32, [&](int i) { numbers[i] = i; });
  const int sum = tbb::parallel_reduce(
      tbb::blocked_range<int>(0, 32), 0,
      [&](const tbb::blocked_range<int>& range, int part) {
        for (int i = range.begin(); i != range.end(); ++i) part += numbers[i];
        return part;
      },
      [](int a, int b) { return a + b; });
  int left = 0;
  int right = 0;
  tbb::task_group group;
  group.run([&] { left = numbers[3]; });
  group.run([&] { right = numbers[4]; });
  group.wait();
  return sum == 496 && left + right == 7 ? 0 : 1;
}
