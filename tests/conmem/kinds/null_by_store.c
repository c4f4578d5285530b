// EXPECT: null
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct request {
  char text[16];
};
static struct request* volatile current;

static void* monitor(void* unused) {
  struct request* const seen = current;
#ifdef FIXED
  if (seen != NULL) seen->text[0] = 'm';
#else
  if (seen != NULL) current->text[0] = 'm';
#endif
  return unused;
}

static void* worker(void* unused) {
  current = NULL;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  static struct request first;
  current = &first;
  pthread_create(&threads[0], NULL, monitor, NULL);
  pthread_create(&threads[1], NULL, worker, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
