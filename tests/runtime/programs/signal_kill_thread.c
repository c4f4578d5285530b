// pthread_kill runs the handler in the thread that it names, wherever that
// waits, and the wait goes on behind it.
//
// EXPECT: ended(0)
// EVENTS: signal-sent
// EVENTS: signal-delivered
// EVENTS: woken-by-kill
// PLAIN:  0

#include <pthread.h>
#include <signal.h>

#include "verify.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t in_handler;
static volatile sig_atomic_t handled;
static int got;

static void handler(int number) {
  VERIFY(number == SIGUSR1);
  in_handler = pthread_self();
  handled = 1;
}

static void* wait_for_lock(void* unused) {
  pthread_mutex_lock(&mutex);
  got = 1;
  pthread_mutex_unlock(&mutex);
  while (!handled) sched_yield();
  return 0;
}

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, 0);
  pthread_mutex_lock(&mutex);
  pthread_t thread;
  pthread_create(&thread, 0, wait_for_lock, 0);
  VERIFY(pthread_kill(thread, 0) == 0);
  VERIFY(pthread_kill(thread, SIGUSR1) == 0);
  while (!handled) sched_yield();
  VERIFY(pthread_equal(in_handler, thread));
  VERIFY(!got);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
