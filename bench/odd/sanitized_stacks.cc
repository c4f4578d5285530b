// Built with AddressSanitizer: buffers on stacks, in the heap and thread-local,
// exceptions and jumps through instrumented frames; nothing wrong.
// FLAGS: -std=c++20 -O1 -fsanitize=address

#include <setjmp.h>

#include <cstdio>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::vector<int> results;

static thread_local char scratch[64];

static int Depth(int n) {
  char buffer[33];
  std::memset(buffer, n, sizeof(buffer));
  std::snprintf(scratch, sizeof(scratch), "%d", n);
  if (n == 0) throw std::runtime_error(scratch);
  return Depth(n - 1) + buffer[32];
}

static thread_local jmp_buf back;

static void Jump(int n) {
  volatile char local[128];
  local[n] = 1;
  if (n == 0) longjmp(back, 3);
  Jump(n - 1);
  local[n + 1] = 2;
}

static int Jumped() {
  const int code = setjmp(back);
  if (code == 0) Jump(20);
  return code;
}

static void Work(int n) {
  std::vector<char> heap(100, static_cast<char>(Jumped()));
  for (int i = 0; i < 3; ++i) {
    try {
      Depth(n);
    } catch (const std::runtime_error&) {
      heap.resize(heap.size() * 2, 'x');
    }
  }
  std::lock_guard lock(mutex);
  results.push_back(static_cast<int>(heap.size()) + heap[0] + n);
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 1; i <= 4; ++i) threads.emplace_back(Work, i);
  for (auto& thread : threads) thread.join();
  int sum = 0;
  for (int result : results) sum += result;
  std::printf("%zu results, sum %d\n", results.size(), sum);
}
