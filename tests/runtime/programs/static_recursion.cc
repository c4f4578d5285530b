// The initialiser of a function-local static needs that static.
//
// EXPECT: deadlock+misuse
// TEXT:   waits for the initialisation
// TEXT:   which it holds itself
// SEEDS:  4

#include <thread>

int Value(int depth);

int Value(int depth) {
  static int value = depth == 0 ? 1 : Value(depth - 1) + 1;
  return value;
}

int main() {
  std::thread thread([] { Value(1); });
  thread.join();
  return 0;
}
