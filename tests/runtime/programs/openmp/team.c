// A team of threads: loops shared out, reductions, critical sections, barriers,
// single sections, tasks. Its threads are controlled like all others, so the
// same seed gives the same order.
//
// EXPECT: ended(0)
// REPEATS: yes
// SEEDS:  4
// PLAIN:  0

#include <omp.h>

#include "../verify.h"

int main(void) {
  long sum = 0;
  int order[3] = {9, 9, 9};
  int arrived = 0, tasks = 0;
  omp_set_dynamic(0);
#pragma omp parallel num_threads(3) reduction(+ : sum)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 30; ++i) sum += i;
#pragma omp critical
    order[arrived++] = omp_get_thread_num();
#pragma omp barrier
#pragma omp single
    VERIFY(arrived == 3);
#pragma omp task shared(tasks)
    {
#pragma omp atomic
      ++tasks;
    }
#pragma omp taskwait
  }
  VERIFY(sum == 435 && tasks == 3);
  VERIFY(order[0] + order[1] + order[2] == 3);
  return 0;
}
