// Three preemptions needed: each of four phases must be seen by the other
// thread before the next one begins, and nothing waits for that.

#include <assert.h>
#include <pthread.h>

static volatile int a, b, noise;
static int stage;

static void* first(void* unused) {
  a = 1;  // must be seen ...
  for (int i = 0; i < 3; ++i) noise = i;
  if (b == 1) {  // ... before the answer is looked for ...
    a = 2;
    for (int i = 0; i < 3; ++i) noise = i;
    if (b == 2) stage = 1;  // ... twice
  }
  return unused;
}

static void* second(void* unused) {
  if (a == 1) {
    b = 1;
    for (int i = 0; i < 3; ++i) noise = i;
    if (a == 2) b = 2;
  }
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
