// Threads wait in a function that sets up its frame anew in each round; what
// they wait for comes from one whose time has to pass first.
//
// EXPECT: ended(0)

#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <sys/select.h>
#include <time.h>

static atomic_int turn;

__attribute__((noinline)) static void wait_in_frame(int sleeps) {
  volatile struct timespec nothing = {0, 0};
  volatile struct timespec unused = {17, 1000};
  if (sleeps) nanosleep((const struct timespec*)&nothing, 0);
}

static void* spin(void* number) {
  const int me = (int)(long)number;
  for (int round = 0; round < 3; round++) {
    while (atomic_load(&turn) != 3 * round + me) wait_in_frame(me);
    atomic_fetch_add(&turn, 1);
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) {
    pthread_create(&threads[i], 0, spin, (void*)i);
  }
  for (int round = 0; round < 3; round++) {
    const struct timespec little = {0, 1000};
    while (atomic_load(&turn) != 3 * round + 2) {
      pselect(0, 0, 0, 0, &little, 0);
    }
    atomic_fetch_add(&turn, 1);
  }
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return atomic_load(&turn) == 9 ? 0 : 1;
}
