// Detached threads outlive main, which has left by pthread_exit; the last says
// so, and the process ends with 0.
// FLAGS: -O1

#include "want.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static int left = 6, cleaned;

static void clean(void* value) {
  pthread_mutex_lock(&mutex);
  cleaned += *(int*)value;
  free(value);
  if (--left == 0) printf("last one out, %d cleaned\n", cleaned);
  pthread_mutex_unlock(&mutex);
}

static void* body(void* number) {
  int* mine = malloc(sizeof(*mine));
  *mine = (int)(long)number;
  pthread_setspecific(key, mine);
  if ((long)number % 2 == 0) pthread_exit(NULL);
  if ((long)number == 3) want(pthread_detach(pthread_self()) == 0);
  return NULL;
}

int main(void) {
  want(pthread_key_create(&key, clean) == 0);
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  for (long i = 1; i <= 6; i++) {
    pthread_t thread;
    want(pthread_create(&thread, i == 3 ? NULL : &detached, body, (void*)i) ==
         0);
  }
  pthread_attr_destroy(&detached);
  pthread_exit(NULL);
}
