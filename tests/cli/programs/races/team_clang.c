// The same with clang's OpenMP, and what there is besides: sections, tasks,
// critical regions, reductions.
// RACES: none

#include <stdlib.h>

int main(void) {
  int* parts = malloc(4 * sizeof(int));
  int sum = 0;
  int shared = 0;
  int left = 0;
  int right = 0;
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 4; ++i) parts[i] = i;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < 4; ++i) sum += parts[3 - i];
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    shared += parts[2];
#pragma omp barrier
#pragma omp single
    {
#pragma omp task shared(left)
      left = shared;
#pragma omp task shared(right)
      right = shared + 1;
#pragma omp taskwait
      shared = left + right;
    }
  }
  free(parts);
  return sum == 6 && shared == 9 ? 0 : 1;
}
