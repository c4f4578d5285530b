// future_cycle.cc with one promise that waits for nobody.
//
// EXPECT: ended(0)
// PLAIN:  0
// SEEDS:  8

#include <future>
#include <thread>

int main() {
  std::promise<int> a, b;
  auto from_a = a.get_future();
  auto from_b = b.get_future();
  std::thread one([&] { a.set_value(from_b.get()); });
  std::thread two([&] {
    b.set_value(1);
    from_a.get();
  });
  one.join();
  two.join();
  return 0;
}
