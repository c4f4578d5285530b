// EXPECT: uninit
// A static pointer that main sets after it has started who uses it.
#include <pthread.h>

struct options {
  int depth;
};
static struct options options = {3};
static struct options* chosen;

static void* worker(void* unused) {
  ++chosen->depth;
  return unused;
}

int main(void) {
  pthread_t thread;
#ifdef FIXED
  chosen = &options;
#endif
  pthread_create(&thread, NULL, worker, NULL);
#ifndef FIXED
  chosen = &options;
#endif
  pthread_join(thread, NULL);
  return 0;
}
