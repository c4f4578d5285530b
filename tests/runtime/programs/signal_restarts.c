// A handler with SA_RESTART does not end sem_wait, and none ends the wait for a
// condition variable, a mutex or a thread.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

#include "verify.h"

static sem_t semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static volatile sig_atomic_t handled;
static int go;

static void handler(int number) { ++handled; }

static void* wait_for_semaphore(void* unused) {
  VERIFY(sem_wait(&semaphore) == 0);
  return 0;
}

static void* wait_for_cond(void* unused) {
  pthread_mutex_lock(&mutex);
  while (!go) VERIFY(pthread_cond_wait(&cond, &mutex) == 0);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void* join(void* other) {
  VERIFY(pthread_join(*(pthread_t*)other, 0) == 0);
  return 0;
}

static void install(int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  sigaction(SIGUSR1, &action, 0);
  handled = 0;
}

int main(void) {
  pthread_t first, second;
  sem_init(&semaphore, 0, 0);
  install(SA_RESTART);
  pthread_create(&first, 0, wait_for_semaphore, 0);
  pthread_kill(first, SIGUSR1);
  while (!handled) sched_yield();
  sem_post(&semaphore);
  pthread_join(first, 0);

  install(0);
  pthread_create(&first, 0, wait_for_cond, 0);
  pthread_create(&second, 0, join, &first);
  pthread_kill(first, SIGUSR1);
  pthread_kill(second, SIGUSR1);
  while (handled < 2) sched_yield();
  pthread_mutex_lock(&mutex);
  go = 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&mutex);
  pthread_join(second, 0);
  return 0;
}
