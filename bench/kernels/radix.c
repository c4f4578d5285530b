// A radix sort of n numbers shared among threads: each counts the digits of its
// slice, one makes offsets of the counts, each moves its slice; barriers
// between.
//
//   radix [threads] [n] [rounds]      prints a checksum

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kBits = 8, kDigits = 1 << kBits, kMaxThreads = 16 };

static int num_threads = 2;
static long n = 100000;
static int rounds = 1;
static unsigned* from;
static unsigned* to;
static long counts[kMaxThreads][kDigits];
static pthread_barrier_t barrier;

static void make_offsets(void) {
  long sum = 0;
  for (int digit = 0; digit < kDigits; ++digit) {
    for (int thread = 0; thread < num_threads; ++thread) {
      const long count = counts[thread][digit];
      counts[thread][digit] = sum;
      sum += count;
    }
  }
}

static void sort(int self, int shift) {
  const long begin = n * self / num_threads;
  const long end = n * (self + 1) / num_threads;
  for (int digit = 0; digit < kDigits; ++digit) counts[self][digit] = 0;
  for (long i = begin; i < end; ++i) {
    ++counts[self][from[i] >> shift & (kDigits - 1)];
  }
  pthread_barrier_wait(&barrier);
  if (self == 0) make_offsets();
  pthread_barrier_wait(&barrier);
  for (long i = begin; i < end; ++i) {
    to[counts[self][from[i] >> shift & (kDigits - 1)]++] = from[i];
  }
  pthread_barrier_wait(&barrier);
  if (self == 0) {
    unsigned* const old = from;
    from = to;
    to = old;
  }
  pthread_barrier_wait(&barrier);
}

static void* work(void* argument) {
  const int self = (int)(long)argument;
  for (int round = 0; round < rounds; ++round) {
    for (int shift = 0; shift < 32; shift += kBits) sort(self, shift);
  }
  return NULL;
}

int main(int argc, char** argv) {
  if (argc > 1) num_threads = atoi(argv[1]);
  if (argc > 2) n = atol(argv[2]);
  if (argc > 3) rounds = atoi(argv[3]);
  if (num_threads < 1 || num_threads > kMaxThreads || n < 1) return 2;
  from = malloc((size_t)n * sizeof *from);
  to = malloc((size_t)n * sizeof *to);
  unsigned value = 1;
  for (long i = 0; i < n; ++i) {
    value = value * 1664525u + 1013904223u;
    from[i] = value;
  }
  pthread_barrier_init(&barrier, NULL, (unsigned)num_threads);
  pthread_t threads[kMaxThreads];
  for (long i = 1; i < num_threads; ++i) {
    pthread_create(&threads[i], NULL, work, (void*)i);
  }
  work((void*)0L);
  for (int i = 1; i < num_threads; ++i) pthread_join(threads[i], NULL);
  unsigned long sum = 0;
  for (long i = 0; i < n; ++i) {
    if (i > 0 && from[i] < from[i - 1]) return 1;
    sum = sum * 31 + from[i];
  }
  printf("%lu\n", sum);
  return 0;
}
