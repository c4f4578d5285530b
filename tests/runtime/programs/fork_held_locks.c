// A child of fork holds what the forking thread held: it can unlock all of it,
// and what it unlocks is free.
//
// EXPECT: ended(0)
// REPEATS: replayed
// PLAIN:  0

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verify.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t free_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t being_written = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t being_read = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_once_t done = PTHREAD_ONCE_INIT;
static pthread_once_t not_done = PTHREAD_ONCE_INIT;
static sem_t semaphore;
static int runs;

static void run(void) { ++runs; }

static void be_child(void) {
  VERIFY(pthread_mutex_trylock(&mutex) == EBUSY);
  VERIFY(pthread_mutex_unlock(&mutex) == 0);
  VERIFY(pthread_mutex_lock(&mutex) == 0);
  VERIFY(pthread_mutex_trylock(&free_mutex) == 0);
  VERIFY(pthread_rwlock_trywrlock(&being_read) == EBUSY);
  VERIFY(pthread_rwlock_unlock(&being_read) == 0);
  VERIFY(pthread_rwlock_wrlock(&being_read) == 0);
  VERIFY(pthread_spin_trylock(&spin) == EBUSY);
  VERIFY(pthread_spin_unlock(&spin) == 0);
  VERIFY(pthread_spin_lock(&spin) == 0);
  VERIFY(pthread_once(&done, run) == 0);
  VERIFY(pthread_once(&not_done, run) == 0);
  VERIFY(runs == 2);
  VERIFY(sem_wait(&semaphore) == 0);
  VERIFY(sem_trywait(&semaphore) == -1);
  funlockfile(stdout);
  if (ftrylockfile(stdout) != 0) _exit(1);
  _exit(0);
}

static void* work(void* unused) {
  (void)unused;
  int status = 1;
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  sem_init(&semaphore, 0, 2);
  VERIFY(pthread_once(&done, run) == 0);
  VERIFY(pthread_mutex_lock(&mutex) == 0);
  VERIFY(pthread_rwlock_wrlock(&being_written) == 0);
  VERIFY(pthread_rwlock_rdlock(&being_read) == 0);
  VERIFY(pthread_spin_lock(&spin) == 0);
  VERIFY(sem_wait(&semaphore) == 0);
  flockfile(stdout);
  pid_t child = fork();
  if (child == 0) be_child();
  VERIFY(waitpid(child, &status, 0) == child);
  VERIFY(status == 0);
  funlockfile(stdout);
  VERIFY(pthread_mutex_unlock(&mutex) == 0);
  VERIFY(pthread_rwlock_unlock(&being_written) == 0);
  VERIFY(pthread_rwlock_unlock(&being_read) == 0);
  VERIFY(pthread_spin_unlock(&spin) == 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
