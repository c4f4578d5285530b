// Exceptions in flight in two threads while switches happen in between; the
// calling context survives the unwinding.
//
// EXPECT: ended(0)

#include <stdexcept>
#include <string>
#include <thread>

static int caught[2];
static int steps;

static void descend(int depth, int who) {
  ++steps;
  if (depth == 0) throw std::runtime_error(std::to_string(who));
  descend(depth - 1, who);
}

static void run(int who) {
  for (int i = 0; i < 5; ++i) {
    try {
      descend(i, who);
    } catch (const std::exception& error) {
      if (error.what() == std::to_string(who)) ++caught[who];
    }
  }
}

int main() {
  std::thread a(run, 0), b(run, 1);
  a.join();
  b.join();
  return caught[0] == 5 && caught[1] == 5 ? 0 : 1;
}
