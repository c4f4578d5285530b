/* FFT, shaped like SPLASH-2's: stages with a barrier behind each, the
 * butterflies of a stage split among the threads. main is thread 0.
 *
 * The bug: after the last barrier each thread adds up its part of the
 * spectrum, and main uses the parts without waiting for the others.
 */

#include <math.h>

#include "../zoo.h"

enum { kLog = 4, kPoints = 1 << kLog, kThreads = 2 };

struct shared {
  double re[kPoints];
  double im[kPoints];
  double energy[kThreads]; /* of each thread's part; written last */
};

static struct shared* shared;
static pthread_barrier_t stage_done;

static double signal_at(unsigned i) { return (double)(i * i % 7) - 3.0; }

static unsigned reversed(unsigned i) {
  unsigned r = 0;
  for (unsigned bit = 0; bit < kLog; ++bit)
    r |= (i >> bit & 1) << (kLog - 1 - bit);
  return r;
}

static void butterfly(unsigned i, unsigned j, double angle) {
  const double c = cos(angle);
  const double s = sin(angle);
  const double re = shared->re[j] * c - shared->im[j] * s;
  const double im = shared->re[j] * s + shared->im[j] * c;
  shared->re[j] = shared->re[i] - re;
  shared->im[j] = shared->im[i] - im;
  shared->re[i] += re;
  shared->im[i] += im;
}

static void stage(unsigned thread, unsigned half) {
  unsigned number = 0;
  for (unsigned block = 0; block < kPoints; block += 2 * half) {
    for (unsigned k = 0; k < half; ++k, ++number) {
      if (number % kThreads != thread) continue;
      butterfly(block + k, block + k + half, -M_PI * k / half);
    }
  }
}

static void transform(unsigned thread) {
  for (unsigned half = 1; half < kPoints; half *= 2) {
    stage(thread, half);
    pthread_barrier_wait(&stage_done);
  }
  double sum = 0;
  for (unsigned i = thread; i < kPoints; i += kThreads) {
    sum += shared->re[i] * shared->re[i] + shared->im[i] * shared->im[i];
  }
  shared->energy[thread] = sum;
}

static void* work(void* argument) {
  zoo_start();
  transform(1);
  return argument;
}

int main(void) {
  double expected = 0;
  shared = malloc(sizeof *shared);
  for (unsigned i = 0; i < kPoints; ++i) {
    shared->re[reversed(i)] = signal_at(i);
    shared->im[i] = 0;
    expected += kPoints * signal_at(i) * signal_at(i);
  }
  pthread_barrier_init(&stage_done, NULL, kThreads);
  zoo_threads(kThreads);
  const pthread_t other = zoo_spawn(work, NULL);
  zoo_start();
  transform(0);
  zoo_device(100000); /* opens the file for the result */
  const double energy = shared->energy[0] + shared->energy[1];
  zoo_join(other);
  free(shared);
  if (fabs(energy - expected) > 1e-6) {
    zoo_wrong("energy", lround(energy), lround(expected));
  }
  return 0;
}
