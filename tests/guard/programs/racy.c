// W-R order, with nothing that makes the wrong one likely.
#include <pthread.h>
#include <stddef.h>

static int* config;
static int value = 42;

static void* worker(void* unused) {
  (void)unused;
  return *config == 42 ? NULL : (void*)1;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  config = &value;
  pthread_join(thread, NULL);
  return 0;
}
