// Goes round a loop for ever if the thread comes first: the loop touches
// nothing that threads share, so nobody else is given a turn.

#include <pthread.h>
#include <stdatomic.h>

static atomic_int first;

static void* come(void* unused) {
  atomic_store(&first, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, come, 0);
  if (atomic_load(&first)) {
    for (;;) __asm__ volatile("");
  }
  pthread_join(thread, 0);
  return 0;
}
