// A static buffer that snprintf fills and printf prints, of two threads.
// RACES: low one_line.c:15 one_line.c:15
// FIXED: none

#include <pthread.h>
#include <stdio.h>

static char line[32];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* say(void* name) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  snprintf(line, sizeof(line), "I am %s", (const char*)name);
  printf("%s\n", line);
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, say, "one");
  pthread_create(&second, NULL, say, "two");
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  (void)lock;
  return 0;
}
