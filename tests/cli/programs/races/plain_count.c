// A count of hits that nobody needs to be exact: a race, and nothing comes of
// it. It may be suppressed, or declared as benign. With -DFIXED it is atomic.
// RACES: low plain_count.c:18 plain_count.c:18
// FIXED: none

#include <fairlead/fairlead.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef FIXED
static _Atomic long hits;
#else
static long hits;
#endif

static void* Hit(void* nothing) {
  for (int i = 0; i < 3; ++i) {
    hits++;
  }
  return nothing;
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc > 1) fairlead_benign(&hits, sizeof(hits));
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, Hit, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return hits > 6;
}
