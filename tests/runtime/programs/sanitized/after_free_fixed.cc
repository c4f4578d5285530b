// The block is freed when nobody reads it any more: AddressSanitizer has
// nothing to report, whatever the schedule.
//
// BUILD:  -fsanitize=address
// EXPECT: ended(0)
// EVENTS: free
// SEEDS:  8

#include <mutex>
#include <thread>

static std::mutex lock;
static int* box;
static int sum;

int main() {
  box = new int(3);
  std::thread reader([] {
    std::lock_guard hold(lock);
    sum += *box;
  });
  std::thread owner([] {
    std::lock_guard hold(lock);
    sum += *box;
  });
  reader.join();
  owner.join();
  delete box;
}
