// The classic: a signal that comes between the test and pause() is lost, and
// the thread waits for ever.
//
// EXPECT: ended(0) deadlock
// TEXT:   SIGUSR1
// TEXT:   nobody is left to send

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t told;

static void handler(int number) { told = 1; }

static void* waiter(void* unused) {
  if (!told) pause();
  return 0;
}

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, 0);
  pthread_t thread;
  pthread_create(&thread, 0, waiter, 0);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, 0);
  return 0;
}
