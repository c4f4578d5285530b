// AddressSanitizer's own handler of faults comes before our judgement, so the
// verdict is its report.
//
// BUILD:  -fsanitize=address
// EXPECT: sanitizer
// TEXT:   AddressSanitizer: SEGV
// SEEDS:  4

#include <thread>

static int* volatile nowhere;

int main() {
  std::thread reader([] { *nowhere = 1; });
  reader.join();
}
