// Who counts until a flag is set after a while does not keep the time from
// passing, whatever main waits by, for however long.
//
// EXPECT: ended(0)
// FLAGS: time-passes
// SEEDS: 4

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../verify.h"

static atomic_int stop;
static atomic_long counted;
static sem_t never;

static void* count(void* calls) {
  while (!stop) {
    if (calls) {
      syscall(SYS_getuid);
    } else {
      ++counted;
    }
  }
  return 0;
}

int main(void) {
  struct timespec while_;
  sem_init(&never, 0, 0);
  for (int way = 0; way < 6; ++way) {
    pthread_t threads[2];
    stop = 0;
    for (int i = 0; i < 2; ++i) {
      pthread_create(&threads[i], 0, count, way == 4 ? &never : 0);
    }
    switch (way) {
      case 0:
        sleep(3);
        break;
      case 1:
        for (int i = 0; i < 10; ++i) usleep(100);
        break;
      case 2:
        VERIFY(poll(0, 0, 50) == 0);
        break;
      case 3:
        while_ = in_ms(CLOCK_REALTIME, 20);
        VERIFY(sem_timedwait(&never, &while_) == -1 && errno == ETIMEDOUT);
        break;
      case 4:
        while_ = (struct timespec){0, 1000};
        nanosleep(&while_, 0);
        break;
      case 5:
        while_ = in_ms(CLOCK_MONOTONIC, 1);
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &while_, 0);
        break;
    }
    stop = 1;
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  }
  return 0;
}
