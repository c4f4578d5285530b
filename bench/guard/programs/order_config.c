// W-R order: a worker uses the configuration, which main sets a little later.
#include <pthread.h>
#include <stdlib.h>

#include "jitter.h"

struct config {
  int size;
};
static struct config* config;

static void* worker(void* unused) {
  (void)unused;
  work(200, 1200);
  return config->size == 42 ? NULL : (void*)1;
}

int main(void) {
  pthread_t thread;
  void* wrong = NULL;
  pthread_create(&thread, NULL, worker, NULL);
  work(0, 500);
  struct config* made = malloc(sizeof(*made));
  made->size = 42;
  config = made;
  pthread_join(thread, &wrong);
  return wrong != NULL;
}
