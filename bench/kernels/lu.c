// A blocked LU factorisation without pivoting, shared among threads: the phases
// and the sharing of the SPLASH-2 kernel (diagonal, perimeter, interior, a
// barrier between each), written anew.
//
//   lu [threads] [n] [block]      prints a checksum

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int num_threads = 2;
static int n = 384;
static int block = 16;
static double* matrix;  // n * n, by rows
static pthread_barrier_t barrier;

static double* at(int row, int column) {
  return &matrix[(long)row * n + column];
}

static int owner(int block_row, int block_column) {
  return (block_row + block_column) % num_threads;
}

static void factor_diagonal(int k) {
  for (int p = k; p < k + block; ++p) {
    for (int i = p + 1; i < k + block; ++i) {
      *at(i, p) /= *at(p, p);
      for (int j = p + 1; j < k + block; ++j) {
        *at(i, j) -= *at(i, p) * *at(p, j);
      }
    }
  }
}

static void update_row(int k, int column) {
  for (int p = k; p < k + block; ++p) {
    for (int i = p + 1; i < k + block; ++i) {
      for (int j = column; j < column + block; ++j) {
        *at(i, j) -= *at(i, p) * *at(p, j);
      }
    }
  }
}

static void update_column(int k, int row) {
  for (int p = k; p < k + block; ++p) {
    for (int i = row; i < row + block; ++i) {
      *at(i, p) /= *at(p, p);
      for (int j = p + 1; j < k + block; ++j) {
        *at(i, j) -= *at(i, p) * *at(p, j);
      }
    }
  }
}

static void update_interior(int k, int row, int column) {
  for (int i = row; i < row + block; ++i) {
    for (int p = k; p < k + block; ++p) {
      const double factor = *at(i, p);
      for (int j = column; j < column + block; ++j) {
        *at(i, j) -= factor * *at(p, j);
      }
    }
  }
}

static void* work(void* argument) {
  const int me = (int)(long)argument;
  for (int k = 0; k < n; k += block) {
    const int kb = k / block;
    if (owner(kb, kb) == me) factor_diagonal(k);
    pthread_barrier_wait(&barrier);
    for (int b = k + block; b < n; b += block) {
      if (owner(kb, b / block) == me) update_row(k, b);
      if (owner(b / block, kb) == me) update_column(k, b);
    }
    pthread_barrier_wait(&barrier);
    for (int row = k + block; row < n; row += block) {
      for (int column = k + block; column < n; column += block) {
        if (owner(row / block, column / block) == me) {
          update_interior(k, row, column);
        }
      }
    }
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(int argc, char** argv) {
  if (argc > 1) num_threads = atoi(argv[1]);
  if (argc > 2) n = atoi(argv[2]);
  if (argc > 3) block = atoi(argv[3]);
  matrix = malloc(sizeof(double) * n * n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) *at(i, j) = i == j ? 2.0 * n : sin(i * 7 + j);
  }
  pthread_barrier_init(&barrier, NULL, num_threads);
  pthread_t threads[64];
  for (long t = 0; t < num_threads; ++t) {
    pthread_create(&threads[t], NULL, work, (void*)t);
  }
  for (int t = 0; t < num_threads; ++t) pthread_join(threads[t], NULL);
  double sum = 0;
  for (long i = 0; i < (long)n * n; ++i) sum += matrix[i];
  printf("lu %.6f\n", sum);
  free(matrix);
  return 0;
}
