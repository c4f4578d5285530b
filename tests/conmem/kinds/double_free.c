// EXPECT: dangling
// Two ways to give a request up: both look whether its buffer is there.
#include <pthread.h>
#include <stdlib.h>

struct request {
  pthread_mutex_t lock;
  char* buffer;
};

static void* give_up(void* argument) {
  struct request* request = argument;
#ifdef FIXED
  pthread_mutex_lock(&request->lock);
#endif
  if (request->buffer != NULL) {
    free(request->buffer);
    request->buffer = NULL;
  }
#ifdef FIXED
  pthread_mutex_unlock(&request->lock);
#endif
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  struct request request = {.lock = PTHREAD_MUTEX_INITIALIZER,
                            .buffer = malloc(64)};
  for (int i = 0; i < 2; ++i) {
    pthread_create(&threads[i], NULL, give_up, &request);
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
