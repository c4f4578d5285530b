// A handler changes what the thread that it interrupts is just changing: one of
// the two updates is lost when the signal comes between read and write.
//
// EXPECT: ended(0) ended(1)
// EVENTS: signal-delivered

#include <pthread.h>
#include <sched.h>
#include <signal.h>

static volatile int counter;
static volatile sig_atomic_t handled;

static void handler(int number) {
  (void)number;
  counter = counter + 1;
  handled = 1;
}

static void* count(void* unused) {
  counter = counter + 1;
  while (!handled) sched_yield();
  return unused;
}

int main(void) {
  signal(SIGUSR1, handler);
  pthread_t thread;
  pthread_create(&thread, 0, count, 0);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, 0);
  return counter != 2;
}
