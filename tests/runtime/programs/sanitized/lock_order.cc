// A deadlock is a deadlock with sanitizers, too.
//
// BUILD:  -fsanitize=address,undefined
// EXPECT: ended(0) deadlock
// TEXT:   deadlock
// SEEDS:  16

#include <mutex>
#include <thread>

static std::mutex a;
static std::mutex b;

int main() {
  std::thread one([] {
    std::lock_guard hold_a(a);
    std::lock_guard hold_b(b);
  });
  std::thread two([] {
    std::lock_guard hold_b(b);
    std::lock_guard hold_a(a);
  });
  one.join();
  two.join();
}
