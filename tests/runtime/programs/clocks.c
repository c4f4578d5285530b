// Clocks go by the execution: after a wait of an hour all of them are an hour
// later, they agree with one another, and a loop that looks at one ends.
//
// EXPECT: ended(0)
// MILLISECONDS: 5000

#include <errno.h>
#include <pthread.h>
#include <sys/time.h>

#include "verify.h"

static double now(clockid_t clock) {
  struct timespec time;
  VERIFY(clock_gettime(clock, &time) == 0);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t never = PTHREAD_COND_INITIALIZER;
  const clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME,
                              CLOCK_MONOTONIC_RAW};
  double before[4];
  struct timeval day;
  struct timespec got;
  for (int i = 0; i < 4; ++i) before[i] = now(clocks[i]);
  time_t second = time(0);
  struct timespec when = in_ms(CLOCK_REALTIME, 3600 * 1000);
  pthread_mutex_lock(&mutex);
  VERIFY(pthread_cond_timedwait(&never, &mutex, &when) == ETIMEDOUT);
  for (int i = 0; i < 4; ++i) {
    const double passed = now(clocks[i]) - before[i];
    VERIFY(passed >= 3600 && passed < 3601);
  }
  VERIFY(time(0) >= second + 3600);
  VERIFY(gettimeofday(&day, 0) == 0 && day.tv_sec >= second + 3600);
  VERIFY(timespec_get(&got, TIME_UTC) == TIME_UTC);
  VERIFY(got.tv_sec >= day.tv_sec);
  VERIFY(now(CLOCK_PROCESS_CPUTIME_ID) < 60);
  const double end = now(CLOCK_MONOTONIC) + 0.002;
  while (now(CLOCK_MONOTONIC) < end) {
  }
  VERIFY(clock_gettime(12345, &got) == -1 && errno == EINVAL);
  return 0;
}
