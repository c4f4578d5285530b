// localtime returns one static buffer, which the other thread's call fills
// anew.
// RACES: low one_calendar.c:18 one_calendar.c:18
// FIXED: none

#include <pthread.h>
#include <stdio.h>
#include <time.h>

static int years[2];

static void* ask(void* at) {
  const time_t when = at == &years[0] ? 0 : 1000000000;
#ifdef FIXED
  struct tm own;
  const struct tm* day = gmtime_r(&when, &own);
#else
  const struct tm* day = gmtime(&when);
#endif
  *(int*)at = day->tm_year;
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, ask, &years[0]);
  pthread_create(&second, NULL, ask, &years[1]);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
