// A thread made by clone, as some libraries do: it passes through all hooks and
// does its work beside the controlled ones, with and without thread-local
// storage of its own; who made it can wait for it.
//
// EXPECT: ended(0)
// UNCONTROLLED: foreign-threads 2
// REPEATS: no
// SEEDS:  8
// PLAIN:  0

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "verify.h"

static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(64) char stacks[2][256 << 10];
static atomic_int done, alive[2];
static atomic_int counter;

static int beside(void* argument) {
  pthread_mutex_lock(&own);
  for (int i = 0; i < 100; ++i) atomic_fetch_add(&counter, 1);
  pthread_mutex_unlock(&own);
  write(-1, "", 1);
  atomic_fetch_add(&done, 1);
  // Without a word to libc, which does not know of this thread.
  syscall(SYS_exit, 0);
  return 0;
}

static void start(int which) {
  alive[which] = 1;
  VERIFY(clone(beside, stacks[which] + sizeof(stacks[which]),
               CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
                   CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_CLEARTID,
               0, 0, 0, &alive[which]) > 0);
}

static void join(int which) {
  while (alive[which] != 0) {
    syscall(SYS_futex, &alive[which], FUTEX_WAIT, 1, 0, 0, 0);
  }
}

static void* work(void* argument) {
  pthread_mutex_t* mutex = argument;
  for (int i = 0; i < 5; ++i) {
    pthread_mutex_lock(mutex);
    free(malloc(40));
    pthread_mutex_unlock(mutex);
  }
  return 0;
}

int main(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_t thread;
  pthread_create(&thread, 0, work, &mutex);
  start(0);
  work(&mutex);
  join(0);
  start(1);
  join(1);
  pthread_join(thread, 0);
  VERIFY(done == 2 && counter == 200);
  return 0;
}
