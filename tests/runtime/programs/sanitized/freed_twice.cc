// Two threads free the same block. The report is about the program's second
// free, not about what the runtime asks of a block that is no more.
//
// BUILD:  -fsanitize=address
// EXPECT: sanitizer
// TEXT:   AddressSanitizer: double-free
// SEEDS:  4

#include <thread>

int main() {
  int* box = new int(3);
  std::thread one([&] { delete box; });
  std::thread two([&] { delete box; });
  one.join();
  two.join();
}
