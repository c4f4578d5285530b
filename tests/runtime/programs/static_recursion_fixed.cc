// static_recursion.cc with an initialiser that calls something else.
//
// EXPECT: ended(0)
// PLAIN:  0
// SEEDS:  4

#include <thread>

int Compute(int depth) { return depth == 0 ? 1 : Compute(depth - 1) + 1; }

int Value(int depth) {
  static int value = Compute(depth);
  return value;
}

int main() {
  std::thread thread([] { Value(1); });
  const int seen = Value(1);
  thread.join();
  return seen == 2 ? 0 : 1;
}
