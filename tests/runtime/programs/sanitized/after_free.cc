// One thread frees what the other still reads. With AddressSanitizer its report
// is the verdict, in the thread that read.
//
// BUILD:  -fsanitize=address
// EXPECT: ended(0) sanitizer
// TEXT:   AddressSanitizer: heap-use-after-free
// EVENTS: free misuse
// SEEDS:  16

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
    delete box;
  });
  reader.join();
  owner.join();
}
