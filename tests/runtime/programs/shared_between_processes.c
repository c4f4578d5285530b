// Primitives shared with a child that nobody controls: the parent tries and
// lets time pass until the child has done its part.
//
// EXPECT:  ended(0)
// REPEATS: no
// SEEDS:   4
// PLAIN:   0

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verify.h"

struct Shared {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  pthread_rwlock_t lock;
  pthread_spinlock_t spin;
  sem_t begin;
  sem_t end;
  int value;
};

static struct Shared* shared;

static void init(void) {
  pthread_mutexattr_t mutex_attr;
  pthread_condattr_t cond_attr;
  pthread_rwlockattr_t lock_attr;
  shared = mmap(0, sizeof(*shared), PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  VERIFY(shared != MAP_FAILED);
  pthread_mutexattr_init(&mutex_attr);
  pthread_mutexattr_setpshared(&mutex_attr, PTHREAD_PROCESS_SHARED);
  VERIFY(pthread_mutex_init(&shared->mutex, &mutex_attr) == 0);
  pthread_condattr_init(&cond_attr);
  pthread_condattr_setpshared(&cond_attr, PTHREAD_PROCESS_SHARED);
  VERIFY(pthread_cond_init(&shared->changed, &cond_attr) == 0);
  pthread_rwlockattr_init(&lock_attr);
  pthread_rwlockattr_setpshared(&lock_attr, PTHREAD_PROCESS_SHARED);
  VERIFY(pthread_rwlock_init(&shared->lock, &lock_attr) == 0);
  VERIFY(pthread_spin_init(&shared->spin, PTHREAD_PROCESS_SHARED) == 0);
  VERIFY(sem_init(&shared->begin, 1, 0) == 0);
  VERIFY(sem_init(&shared->end, 1, 0) == 0);
}

static void add(void) {
  VERIFY(pthread_spin_lock(&shared->spin) == 0);
  ++shared->value;
  VERIFY(pthread_spin_unlock(&shared->spin) == 0);
}

static void be_child(void) {
  VERIFY(sem_wait(&shared->begin) == 0);
  VERIFY(pthread_rwlock_wrlock(&shared->lock) == 0);
  VERIFY(sem_post(&shared->end) == 0);
  add();
  VERIFY(pthread_rwlock_unlock(&shared->lock) == 0);
  VERIFY(pthread_mutex_lock(&shared->mutex) == 0);
  add();
  VERIFY(pthread_cond_signal(&shared->changed) == 0);
  VERIFY(pthread_mutex_unlock(&shared->mutex) == 0);
  _exit(0);
}

static void* be_other(void* unused) {
  (void)unused;
  VERIFY(pthread_mutex_lock(&shared->mutex) == 0);
  add();
  VERIFY(pthread_cond_signal(&shared->changed) == 0);
  VERIFY(pthread_mutex_unlock(&shared->mutex) == 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  int status = 0;
  init();
  pid_t child = fork();
  if (child == 0) be_child();
  pthread_create(&thread, 0, be_other, 0);
  VERIFY(sem_post(&shared->begin) == 0);
  VERIFY(sem_wait(&shared->end) == 0);
  VERIFY(pthread_rwlock_rdlock(&shared->lock) == 0);
  VERIFY(shared->value >= 1);
  VERIFY(pthread_rwlock_unlock(&shared->lock) == 0);
  VERIFY(pthread_mutex_lock(&shared->mutex) == 0);
  while (shared->value < 3) {
    VERIFY(pthread_cond_wait(&shared->changed, &shared->mutex) == 0);
    VERIFY(pthread_mutex_unlock(&shared->mutex) == 0);
    VERIFY(pthread_mutex_lock(&shared->mutex) == 0);
  }
  VERIFY(pthread_mutex_unlock(&shared->mutex) == 0);
  pthread_join(thread, 0);
  VERIFY(waitpid(child, &status, 0) == child && status == 0);
  VERIFY(shared->value == 3);
  VERIFY(pthread_mutex_destroy(&shared->mutex) == 0);
  return 0;
}
