// Threads that race between calls into code of others: both are found before
// their accesses at once. With -DFIXED a lock orders them.
// RACES: low others_race.c:23 others_race.c:23
// FIXED: none

#include <pthread.h>

#include "others.h"

static long count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* Count(void* nothing) {
  for (int i = 0; i < 4; ++i) {
    others_raise();
#ifdef FIXED
    pthread_mutex_lock(&mutex);
    ++count;
    pthread_mutex_unlock(&mutex);
#else
    (void)mutex;
    others_raised();
    ++count;
#endif
  }
  return nothing;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, Count, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return count > 8;
}
