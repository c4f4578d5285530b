// The twin of signal_lost_update.c: the signal is blocked around the update.
//
// EXPECT: ended(0)
// EVENTS: signal-delivered

#include <pthread.h>
#include <signal.h>

static volatile int counter;

static void handler(int number) {
  (void)number;
  counter = counter + 1;
}

static void* count(void* unused) {
  counter = counter + 1;
  sigset_t none;
  sigemptyset(&none);
  while (counter != 2) sigsuspend(&none);
  return unused;
}

int main(void) {
  sigset_t usr1;
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &usr1, 0);
  signal(SIGUSR1, handler);
  pthread_t thread;
  pthread_create(&thread, 0, count, 0);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, 0);
  return counter != 2;
}
