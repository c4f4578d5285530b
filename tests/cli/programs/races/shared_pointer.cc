// A shared pointer that one thread replaces while another takes it: right, with
// std::atomic around it.
// RACES: none

#include <atomic>
#include <memory>
#include <thread>

int main() {
  std::atomic<std::shared_ptr<int>> current(std::make_shared<int>(1));
  std::thread other([&current] {
    for (int i = 2; i < 5; ++i) current.store(std::make_shared<int>(i));
  });
  int sum = 0;
  for (int i = 0; i < 3; ++i) sum += *current.load();
  other.join();
  return sum < 3;
}
