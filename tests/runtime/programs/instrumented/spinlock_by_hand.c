// A lock made of test-and-set: mutual exclusion holds, and waiting for it is a
// spin, not a livelock.
//
// EXPECT: ended(0)

#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int counter;

static void* count(void* unused) {
  (void)unused;
  for (int i = 0; i < 5; ++i) {
    while (atomic_flag_test_and_set(&lock)) {
    }
    ++counter;
    atomic_flag_clear(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, count, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return counter == 15 ? 0 : 1;
}
