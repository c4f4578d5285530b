// EXPECT: dangling
// A vector grows while another thread walks over it.
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static std::vector<int> numbers = {1, 2, 3, 4};

static int Sum() {
#ifdef FIXED
  const std::lock_guard<std::mutex> hold(lock);
#endif
  int sum = 0;
  for (const int number : numbers) sum += number;
  return sum;
}

static void Add() {
  const std::lock_guard<std::mutex> hold(lock);
  numbers.push_back(5);
}

int main() {
  int sum = 0;
  std::thread reader([&] { sum = Sum(); });
  std::thread writer(Add);
  reader.join();
  writer.join();
  return sum == 0 ? 1 : 0;
}
