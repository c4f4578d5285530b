// Timers that call a function in a thread of its own: in order of their times,
// as often as asked for, and not after their end.
//
// EXPECT: ended(0)
// EVENTS: timer fork
// PLAIN:  0

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "verify.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int calls[3];
static pthread_t starter;

static void notify(union sigval value) {
  VERIFY(!pthread_equal(pthread_self(), starter));
  pthread_mutex_lock(&mutex);
  ++calls[value.sival_int];
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}

static timer_t start(int which, int ms, int period_ms) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD,
                           .sigev_notify_function = notify,
                           .sigev_value.sival_int = which};
  const struct itimerspec when = {.it_value = {ms / 1000, ms % 1000 * 1000000},
                                  .it_interval.tv_nsec = period_ms * 1000000};
  timer_t timer;
  VERIFY(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  VERIFY(timer_settime(timer, 0, &when, 0) == 0);
  return timer;
}

int main(void) {
  starter = pthread_self();
  const timer_t once = start(0, 30, 0), often = start(1, 10, 10);
  const timer_t never = start(2, 100000, 0);
  pthread_mutex_lock(&mutex);
  while (calls[0] < 1 || calls[1] < 3) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  struct itimerspec left;
  VERIFY(timer_gettime(never, &left) == 0 && left.it_value.tv_sec > 0);
  VERIFY(timer_delete(once) == 0 && timer_delete(often) == 0);
  VERIFY(timer_delete(never) == 0);
  VERIFY(calls[0] == 1 && calls[2] == 0);
  return 0;
}
