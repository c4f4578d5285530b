// Flags that are volatile, and what they order: no more than a remark. With
// -DFIXED they are atomic.
// RACES: none
// ALL: info
// FIXED: none

#include <pthread.h>
#include <sched.h>

#ifdef FIXED
static _Atomic int arrived[2];
#else
static volatile int arrived[2];
#endif
static int parts[2];
static int sums[2];

static void* Work(void* argument) {
  const int me = *(int*)argument;
  parts[me] = me + 1;
  arrived[me] = 1;
  while (arrived[1 - me] == 0) sched_yield();
  sums[me] = parts[0] + parts[1];
  return 0;
}

int main(void) {
  pthread_t threads[2];
  int names[2] = {0, 1};
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, Work, &names[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return sums[0] == 3 && sums[1] == 3 ? 0 : 1;
}
