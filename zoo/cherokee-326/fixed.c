/* Cherokee #326: the string with the current time, cached for all threads.
 *
 * Requests put the time into their answers. The string is made anew when the
 * clock has moved on, piece by piece, each behind the last.
 *
 * The fix: the string is made anew in write mode.
 */

#include "../zoo.h"

enum { kTextSize = 40, kRequests = 3 };

struct time_cache {
  unsigned long time; /* of the text */
  unsigned length;
  char text[kTextSize];
  unsigned guard; /* behind the text: an overflow changes it */
};

static pthread_rwlock_t cache_lock = PTHREAD_RWLOCK_INITIALIZER;
static struct time_cache cache = {.guard = 0xfeedface};
static unsigned long bogotime = 1000; /* atomic; the main loop writes */

static void append(const char* piece) {
  const unsigned size = (unsigned)strlen(piece);
  memcpy(cache.text + cache.length, piece, size);
  cache.length += size;
}

static void refill(unsigned long now) {
  char digits[16];
  cache.length = 0;
  append("Mon, 16 Nov ");
  snprintf(digits, sizeof digits, "%02lu", now % 100);
  append(digits);
  append(" GMT");
  cache.time = now;
}

/* Copies the text that is current. */
static void date_string(unsigned long now, char* to) {
  pthread_rwlock_wrlock(&cache_lock);
  if (cache.time != now) refill(now);
  memcpy(to, cache.text, cache.length);
  to[cache.length] = 0;
  pthread_rwlock_unlock(&cache_lock);
}

static void answer(void) {
  char date[3 * kTextSize];
  char expected[3 * kTextSize];
  const unsigned long now = __atomic_load_n(&bogotime, __ATOMIC_RELAXED);
  date_string(now, date);
  snprintf(expected, sizeof expected, "Mon, 16 Nov %02lu GMT", now % 100);
  if (strcmp(date, expected) != 0) {
    fprintf(stderr, "wrong: date '%s' instead of '%s'\n", date, expected);
    exit(1);
  }
}

static void* serve(void* argument) {
  const unsigned* delay_us = argument;
  zoo_start();
  for (unsigned i = 0; i < kRequests; ++i) {
    zoo_device(*delay_us);
    answer();
    zoo_compute(1000, i);
  }
  return NULL;
}

int main(void) {
  unsigned delays_us[2] = {5000, 17000};
  zoo_threads(3);
  const pthread_t one = zoo_spawn(serve, &delays_us[0]);
  const pthread_t two = zoo_spawn(serve, &delays_us[1]);
  zoo_start();
  zoo_device(25000);
  __atomic_store_n(&bogotime, 1001, __ATOMIC_RELAXED); /* a tick */
  zoo_join(one);
  zoo_join(two);
  if (cache.guard != 0xfeedface) zoo_wrong("overflows", 1, 0);
  return 0;
}
