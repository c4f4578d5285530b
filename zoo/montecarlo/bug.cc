// montecarlo: samples are drawn by two threads and averaged by main.
//
// Every thread writes the path's length, and all write the same. main waits for
// flags that the threads set last. Both race, and neither does harm.

#include "../zoo.h"

namespace {

constexpr unsigned kThreads = 2;
constexpr unsigned kSamples = 6;

unsigned path_length;
long results[kThreads][kSamples];
volatile int done[kThreads];

void* Draw(void* argument) {
  const unsigned thread = *static_cast<unsigned*>(argument);
  zoo_start();
  path_length = 40;
  for (unsigned i = 0; i < kSamples; ++i) {
    const unsigned seed = thread * kSamples + i + 1;
    results[thread][i] = zoo_compute(path_length, seed) % 100;
  }
  __asm__ volatile("" ::: "memory");
  done[thread] = 1;
  return nullptr;
}

long Expected() {
  long sum = 0;
  for (unsigned i = 1; i <= kThreads * kSamples; ++i) {
    sum += zoo_compute(40, i) % 100;
  }
  return sum;
}

}  // namespace

int main() {
  unsigned numbers[kThreads] = {0, 1};
  pthread_t threads[kThreads];
  zoo_threads(kThreads);
  for (unsigned i = 0; i < kThreads; ++i) {
    threads[i] = zoo_spawn(Draw, &numbers[i]);
  }
  while (!done[0] || !done[1]) usleep(100);
  __asm__ volatile("" ::: "memory");
  long sum = 0;
  for (const auto& of_thread : results) {
    for (const long result : of_thread) sum += result;
  }
  for (const pthread_t thread : threads) zoo_join(thread);
  if (sum != Expected()) zoo_wrong("sum of the samples", sum, Expected());
  return 0;
}
