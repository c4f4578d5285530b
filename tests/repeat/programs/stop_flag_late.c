// Main stops its worker and takes what it works on away without waiting for it:
// found though the worker would count for ever.
//
// FINDS: assertion
// OPTIONS: --executions 400

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int stop, taken_away;
static atomic_long rounds;

static void* work(void* unused) {
  while (!stop) {
    ++rounds;
    assert(!taken_away);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  usleep(5000);
  stop = 1;
  taken_away = 1;
  pthread_join(thread, 0);
  return 0;
}
