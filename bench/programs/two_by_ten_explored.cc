// The same test as two_by_ten.c, as a closure that is repeated in one process.

#include <fairlead/explore.hpp>
#include <thread>

int main() {
  fairlead::explore([] {
    int shared = 0;
    const auto run = [&] {
      for (int i = 0; i < 5; ++i) shared = shared + 1;
    };
    std::thread first(run);
    std::thread second(run);
    first.join();
    second.join();
  });
  return 0;
}
