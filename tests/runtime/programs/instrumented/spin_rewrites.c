// A loop that waits and fills the same structure in each round, as loops around
// calls do, changes nothing: others go first, and the time of those who sleep
// passes.
//
// EXPECT: ended(0)

#include <pthread.h>
#include <stdatomic.h>
#include <sys/select.h>
#include <time.h>

static atomic_int turn;

static void* spin(void* number) {
  const int me = (int)(long)number;
  volatile struct timespec scratch;
  for (int round = 0; round < 3; round++) {
    while (atomic_load(&turn) != 3 * round + me) {
      const struct timespec again = {0, 17};
      scratch = again;
    }
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
