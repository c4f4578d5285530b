// A radix-2 transform of n complex numbers shared among threads: each thread
// takes a slice of the butterflies of every stage, a barrier ends the stage.
//
//   fft [threads] [log2 n] [rounds]      prints a checksum

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int num_threads = 2;
static int log_n = 16;
static int rounds = 4;
static long n;
static double* re;
static double* im;
static double* twiddle_re;
static double* twiddle_im;
static pthread_barrier_t barrier;

static unsigned long reversed(unsigned long index) {
  unsigned long result = 0;
  for (int bit = 0; bit < log_n; ++bit) {
    result = result << 1 | (index >> bit & 1);
  }
  return result;
}

static void swap(double* values, long i, long j) {
  const double kept = values[i];
  values[i] = values[j];
  values[j] = kept;
}

static void permute(int me) {
  for (long i = me; i < n; i += num_threads) {
    const long j = (long)reversed((unsigned long)i);
    if (i < j) {
      swap(re, i, j);
      swap(im, i, j);
    }
  }
}

static void stage(int me, long half) {
  const long stride = n / (2 * half);
  const long share = n / 2 / num_threads;
  for (long b = me * share; b < (me + 1) * share; ++b) {
    const long k = b % half;
    const long i = b / half * 2 * half + k;
    const long j = i + half;
    const double wr = twiddle_re[k * stride];
    const double wi = twiddle_im[k * stride];
    const double tr = re[j] * wr - im[j] * wi;
    const double ti = re[j] * wi + im[j] * wr;
    re[j] = re[i] - tr;
    im[j] = im[i] - ti;
    re[i] += tr;
    im[i] += ti;
  }
}

static void* work(void* argument) {
  const int me = (int)(long)argument;
  for (int round = 0; round < rounds; ++round) {
    permute(me);
    pthread_barrier_wait(&barrier);
    for (long half = 1; half < n; half *= 2) {
      stage(me, half);
      pthread_barrier_wait(&barrier);
    }
  }
  return NULL;
}

int main(int argc, char** argv) {
  if (argc > 1) num_threads = atoi(argv[1]);
  if (argc > 2) log_n = atoi(argv[2]);
  if (argc > 3) rounds = atoi(argv[3]);
  n = 1L << log_n;
  re = malloc(sizeof(double) * n);
  im = malloc(sizeof(double) * n);
  twiddle_re = malloc(sizeof(double) * n / 2);
  twiddle_im = malloc(sizeof(double) * n / 2);
  for (long i = 0; i < n; ++i) {
    re[i] = sin((double)i);
    im[i] = 0;
  }
  const double turn = 2 * acos(-1.0) / (double)n;
  for (long i = 0; i < n / 2; ++i) {
    twiddle_re[i] = cos(turn * (double)i);
    twiddle_im[i] = -sin(turn * (double)i);
  }
  pthread_barrier_init(&barrier, NULL, num_threads);
  pthread_t threads[64];
  for (long t = 0; t < num_threads; ++t) {
    pthread_create(&threads[t], NULL, work, (void*)t);
  }
  for (int t = 0; t < num_threads; ++t) pthread_join(threads[t], NULL);
  double sum = 0;
  for (long i = 0; i < n; ++i) sum += re[i] * re[i] + im[i] * im[i];
  printf("fft %.6e\n", sum);
  return 0;
}
