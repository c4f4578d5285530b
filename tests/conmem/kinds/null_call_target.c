// EXPECT: null
// A callback is taken away between the test and the call.
#include <pthread.h>
#include <stddef.h>

static int called;
static void on_event(void) { ++called; }
static void (*volatile callback)(void) = on_event;

static void* fire(void* unused) {
#ifdef FIXED
  void (*const seen)(void) = callback;
  if (seen != NULL) seen();
#else
  if (callback != NULL) callback();
#endif
  return unused;
}

static void* shut(void* unused) {
  callback = NULL;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, fire, NULL);
  pthread_create(&threads[1], NULL, shut, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
