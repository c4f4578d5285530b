// montecarlo: samples are drawn by two threads and averaged by main.
//
// main writes the path's length before the threads start, and joins them.

#include "../zoo.h"

namespace {

constexpr unsigned kThreads = 2;
constexpr unsigned kSamples = 6;

unsigned path_length;
long results[kThreads][kSamples];

void* Draw(void* argument) {
  const unsigned thread = *static_cast<unsigned*>(argument);
  zoo_start();
  for (unsigned i = 0; i < kSamples; ++i) {
    const unsigned seed = thread * kSamples + i + 1;
    results[thread][i] = zoo_compute(path_length, seed) % 100;
  }
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
  path_length = 40;
  zoo_threads(kThreads);
  for (unsigned i = 0; i < kThreads; ++i) {
    threads[i] = zoo_spawn(Draw, &numbers[i]);
  }
  for (const pthread_t thread : threads) zoo_join(thread);
  long sum = 0;
  for (const auto& of_thread : results) {
    for (const long result : of_thread) sum += result;
  }
  if (sum != Expected()) zoo_wrong("sum of the samples", sum, Expected());
  return 0;
}
