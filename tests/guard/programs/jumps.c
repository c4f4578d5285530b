// A handler leaves by siglongjmp, wherever it has interrupted its thread; each
// thread ends after so many jumps, with what it has done in between.
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { kThreads = 3, kJumps = 10, kRounds = 300 };

static volatile long shared;
static atomic_int ended, armed[kThreads];
static __thread sigjmp_buf back;
static __thread volatile sig_atomic_t may_jump;

static void handler(int signal) {
  (void)signal;
  if (may_jump) siglongjmp(back, 1);
}

static int bad;

static void* worker(void* number) {
  volatile int jumps = -1;
  volatile long rounds = 0;
  sigsetjmp(back, 1);
  may_jump = bad;
  if (++jumps < kJumps && bad) armed[(long)number] = 1;
  while (bad ? jumps < kJumps : rounds < kRounds) {
    ++shared;
    ++rounds;
  }
  may_jump = 0;
  ++ended;
  return 0;
}

int main(int argc, char** argv) {
  bad = argc > 1 && strcmp(argv[1], "bad") == 0;
  pthread_t threads[kThreads];
  signal(SIGUSR1, handler);
  for (int i = 0; i < kThreads; ++i) {
    pthread_create(&threads[i], 0, worker, (void*)(long)i);
  }
  // One signal for each time that a thread is ready to jump.
  while (bad && ended < kThreads) {
    for (int i = 0; i < kThreads; ++i) {
      if (atomic_exchange(&armed[i], 0)) pthread_kill(threads[i], SIGUSR1);
    }
    sched_yield();
  }
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
  return 0;
}
