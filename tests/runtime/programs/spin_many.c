// Polls a dozen mutexes in turn, over and over, until all are free. That it is
// noticed as a spin must not depend on where the program was loaded: else its
// executions would not repeat.
//
// EXPECT: ended(0)

#include <pthread.h>

#include "verify.h"

enum { kMany = 12 };

struct Slot {
  pthread_mutex_t mutex;
  char padding[1000];
};

static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
static struct Slot slots[kMany];

static void* poll_all(void* unused) {
  (void)unused;
  int taken = 0;
  while (taken != (1 << kMany) - 1) {
    for (int i = 0; i < kMany; ++i) {
      if ((taken & 1 << i) != 0) continue;
      if (pthread_mutex_trylock(&slots[i].mutex) == 0) taken |= 1 << i;
    }
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  for (int i = 0; i < kMany; ++i) pthread_mutex_lock(&slots[i].mutex);
  pthread_create(&thread, 0, poll_all, 0);
  for (int i = 0; i < kMany; ++i) {
    for (int busy = 0; busy < 20; ++busy) {
      pthread_mutex_lock(&own);
      pthread_mutex_unlock(&own);
    }
    pthread_mutex_unlock(&slots[i].mutex);
  }
  return pthread_join(thread, 0);
}
