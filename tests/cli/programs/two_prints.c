// Two lines of two prints each: the other thread's may come between them, but
// not where the stream is locked.
#include <pthread.h>
#include <stdio.h>

static void* say(void* name) {
#ifdef FIXED
  flockfile(stdout);
#endif
  printf("I am %s", (const char*)name);
  printf(", done\n");
#ifdef FIXED
  funlockfile(stdout);
#endif
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, say, "one");
  pthread_create(&second, NULL, say, "two");
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
