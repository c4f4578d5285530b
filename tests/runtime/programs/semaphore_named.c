// A named semaphore, opened twice under one name, between two threads; then a
// deadlock over it, as nobody posts.
//
// EXPECT: deadlock
// TEXT:   waits for semaphore
// EVENTS: sem-wait sem-post

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "verify.h"

static char name[64];

static void* post(void* unused) {
  (void)unused;
  sem_t* again = sem_open(name, O_CREAT, 0600, 5);
  VERIFY(again != SEM_FAILED);
  VERIFY(sem_post(again) == 0);
  VERIFY(sem_close(again) == 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  int value;
  snprintf(name, sizeof(name), "/fairlead-test-%d", (int)getpid());
  VERIFY(sem_open(name, 0) == SEM_FAILED && errno == ENOENT);
  sem_t* semaphore = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
  VERIFY(semaphore != SEM_FAILED);
  VERIFY(sem_open(name, O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED);
  VERIFY(errno == EEXIST);
  VERIFY(sem_wait(semaphore) == 0);
  pthread_create(&thread, 0, post, 0);
  VERIFY(sem_wait(semaphore) == 0);
  pthread_join(thread, 0);
  VERIFY(sem_getvalue(semaphore, &value) == 0 && value == 0);
  VERIFY(sem_unlink(name) == 0);
  VERIFY(sem_unlink(name) == -1 && errno == ENOENT);
  return sem_wait(semaphore);
}
