/* LU, shaped like SPLASH-2's: one step per column, a barrier behind each, the
 * rows dealt out to the threads. main is thread 0.
 *
 * The bug: each thread adds up its rows behind the last barrier, and main
 * uses the sums without waiting for the others.
 */

#include <math.h>

#include "../zoo.h"

enum { kSize = 6, kThreads = 2 };

static double a[kSize][kSize];
static double sums[kThreads]; /* over each thread's rows; written last */
static pthread_barrier_t step_done;

static double element(unsigned i, unsigned j) {
  return i == j ? 10.0 + i : 1.0 / (1.0 + i + j);
}

static void eliminate(unsigned row, unsigned k) {
  a[row][k] /= a[k][k];
  for (unsigned j = k + 1; j < kSize; ++j) a[row][j] -= a[row][k] * a[k][j];
}

static void factor(unsigned thread) {
  for (unsigned k = 0; k + 1 < kSize; ++k) {
    for (unsigned row = k + 1; row < kSize; ++row) {
      if (row % kThreads == thread) eliminate(row, k);
    }
    pthread_barrier_wait(&step_done);
  }
  double sum = 0;
  for (unsigned row = thread; row < kSize; row += kThreads) {
    for (unsigned j = 0; j < kSize; ++j) sum += a[row][j];
  }
  sums[thread] = sum;
}

static void* work(void* argument) {
  zoo_start();
  factor(1);
  return argument;
}

int main(void) {
  for (unsigned i = 0; i < kSize; ++i) {
    for (unsigned j = 0; j < kSize; ++j) a[i][j] = element(i, j);
  }
  pthread_barrier_init(&step_done, NULL, kThreads);
  zoo_threads(kThreads);
  const pthread_t other = zoo_spawn(work, NULL);
  zoo_start();
  factor(0);
  zoo_device(100000); /* opens the file for the result */
  const double sum = sums[0] + sums[1];
  zoo_join(other);
  double expected = 0;
  for (unsigned i = 0; i < kSize; ++i) {
    for (unsigned j = 0; j < kSize; ++j) expected += a[i][j];
  }
  if (fabs(sum - expected) > 1e-9) {
    zoo_wrong("sum of the factors, thousandths", lround(sum * 1000),
              lround(expected * 1000));
  }
  return 0;
}
