// A bug 20,000 steps deep: two threads work through 5,000 rounds each, and only
// in the last ones does the order of their steps matter.

#include <assert.h>
#include <pthread.h>

enum { kRounds = 5000 };

static volatile int progress[2];
static volatile int shared;
static int wrong;

static void* work(void* argument) {
  const int me = (int)(long)argument;
  for (int i = 0; i < kRounds; ++i) {
    progress[me] = i;
    if (i < kRounds - 3) {
      (void)progress[1 - me];
      continue;
    }
    const int before = shared;  // not atomic, and noticed only at the end
    shared = before + 1;
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, work, (void*)0);
  pthread_create(&threads[1], 0, work, (void*)1);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  wrong = shared != 6;
  assert(!wrong);
  return 0;
}
