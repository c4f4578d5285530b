// Five preemptions needed: three questions and three answers, as in preempt_3.

#include <assert.h>
#include <pthread.h>

static volatile int a, b, noise;
static int stage;

static void* first(void* unused) {
  a = 1;
  noise = 1;
  if (b != 1) return unused;
  a = 2;
  noise = 1;
  if (b != 2) return unused;
  a = 3;
  noise = 1;
  if (b == 3) stage = 1;
  return unused;
}

static void* second(void* unused) {
  if (a != 1) return unused;
  b = 1;
  noise = 2;
  if (a != 2) return unused;
  b = 2;
  noise = 2;
  if (a != 3) return unused;
  b = 3;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  assert(stage == 0);
  return 0;
}
