// gettid() tells threads apart, whatever carries them: a recursive lock made of
// an owner's number works.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "verify.h"

static atomic_int owner;
static int depth;
static int counter;

static void lock(void) {
  const int self = gettid();
  int expected = 0;
  if (atomic_load(&owner) != self) {
    while (!atomic_compare_exchange_strong(&owner, &expected, self)) {
      expected = 0;
      sched_yield();
    }
  }
  ++depth;
}

static void unlock(void) {
  VERIFY(atomic_load(&owner) == gettid());
  if (--depth == 0) atomic_store(&owner, 0);
}

static void* count(void* unused) {
  VERIFY(gettid() != getpid());
  VERIFY(gettid() == syscall(SYS_gettid));
  for (int i = 0; i < 5; ++i) {
    lock();
    lock();
    const int seen = counter;
    sched_yield();
    counter = seen + 1;
    unlock();
    unlock();
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  VERIFY(gettid() == getpid());
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, count, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  VERIFY(counter == 10);
  return 0;
}
