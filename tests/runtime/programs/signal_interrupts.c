// A handler without SA_RESTART ends sem_wait (exit code + 1), any handler ends
// nanosleep (+ 2), if the wait has begun.
//
// EXPECT: ended(0) ended(1) ended(2) ended(3)

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

#include "verify.h"

static sem_t semaphore;
static volatile sig_atomic_t handled;

static void handler(int number) { handled = 1; }

static void* wait_once(void* unused) {
  if (sem_wait(&semaphore) == 0) return 0;
  VERIFY(errno == EINTR && handled);
  return (void*)1;
}

static void* sleep_once(void* unused) {
  struct timespec hour = {3600, 0}, left = {0, 0};
  if (nanosleep(&hour, &left) == 0) return 0;
  VERIFY(errno == EINTR && handled);
  VERIFY(left.tv_sec > 0 && left.tv_sec <= 3600);
  return (void*)1;
}

static int interrupted(void* (*start)(void*), int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  sigaction(SIGUSR1, &action, 0);
  handled = 0;
  pthread_t thread;
  void* result;
  pthread_create(&thread, 0, start, 0);
  pthread_kill(thread, SIGUSR1);
  sem_post(&semaphore);
  pthread_join(thread, &result);
  return result != 0;
}

int main(void) {
  sem_init(&semaphore, 0, 0);
  const int waited = interrupted(wait_once, 0);
  return waited + 2 * interrupted(sleep_once, SA_RESTART);
}
