// Nobody sends the signal that the thread waits for: a deadlock that names it.
//
// EXPECT: deadlock
// TEXT:   SIGUSR2
// TEXT:   nobody is left to send

#include <pthread.h>
#include <signal.h>

static sigset_t set;

static void* waiter(void* unused) {
  int number;
  sigwait(&set, &number);
  return 0;
}

int main(void) {
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  pthread_t thread;
  pthread_create(&thread, 0, waiter, 0);
  pthread_join(thread, 0);
  return 0;
}
