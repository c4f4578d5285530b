// Absolute sleeps, time stamps, processor clocks and random bytes: what must
// hold between them, for each of three threads.
// FLAGS: -O3

#define _GNU_SOURCE
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <x86intrin.h>

#include "want.h"

static long long ns(clockid_t clock) {
  struct timespec now;
  want(clock_gettime(clock, &now) == 0);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static struct timespec in(clockid_t clock, long long later) {
  const long long at = ns(clock) + later;
  const struct timespec then = {at / 1000000000, at % 1000000000};
  return then;
}

static void* body(void* number) {
  const clockid_t clock = (long)number == 0   ? CLOCK_REALTIME
                          : (long)number == 1 ? CLOCK_MONOTONIC
                                              : CLOCK_BOOTTIME;
  for (int i = 1; i <= 3; i++) {
    const unsigned long long stamp = __rdtsc();
    const struct timespec until = in(clock, i * 1000000);
    int code;
    while ((code = clock_nanosleep(clock, TIMER_ABSTIME, &until, NULL)) != 0)
      want(code == EINTR);
    want(ns(clock) >= until.tv_sec * 1000000000LL + until.tv_nsec);
    unsigned processor;
    want(__rdtscp(&processor) > stamp);
  }
  struct timespec left;
  const struct timespec bad = {0, 1000000000};
  want(clock_nanosleep(CLOCK_MONOTONIC, 0, &bad, &left) == EINVAL);
  want(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &bad, &left) == EINVAL);
  const long long spent = ns(CLOCK_THREAD_CPUTIME_ID);
  want(spent >= 0 && spent <= ns(CLOCK_THREAD_CPUTIME_ID));
  unsigned char bytes[256], none[256] = {0};
  want(getrandom(bytes, sizeof(bytes), 0) == sizeof(bytes));
  want(memcmp(bytes, none, sizeof(none)) != 0);
  want(getentropy(none, 257) == -1 && errno == EIO);
  return NULL;
}

int main(void) {
  const long long real = ns(CLOCK_REALTIME), mono = ns(CLOCK_MONOTONIC);
  const time_t before = time(NULL);
  pthread_t threads[3];
  for (long i = 0; i < 3; i++) threads[i] = start(body, (void*)i);
  for (int i = 0; i < 3; i++) finish(threads[i]);
  struct timeval now;
  want(gettimeofday(&now, NULL) == 0 && now.tv_sec >= before);
  want(ns(CLOCK_MONOTONIC) - mono >= 6000000);
  const long long drift =
      (ns(CLOCK_REALTIME) - real) - (ns(CLOCK_MONOTONIC) - mono);
  want(drift > -1000000000 && drift < 1000000000);
  struct tm parts;
  const time_t birth = 86400;
  want(gmtime_r(&birth, &parts) != NULL && parts.tm_mday == 2);
  puts("all clocks agree");
  return 0;
}
