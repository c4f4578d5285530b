// The twin of semaphore_named: as many posts as waits, through two handles.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "verify.h"

static char name[64];

static void* post(void* unused) {
  (void)unused;
  sem_t* again = sem_open(name, 0);
  VERIFY(again != SEM_FAILED);
  VERIFY(sem_post(again) == 0);
  VERIFY(sem_post(again) == 0);
  VERIFY(sem_close(again) == 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  snprintf(name, sizeof(name), "/fairlead-twin-%d", (int)getpid());
  sem_t* semaphore = sem_open(name, O_CREAT, 0600, 0);
  VERIFY(semaphore != SEM_FAILED);
  pthread_create(&thread, 0, post, 0);
  VERIFY(sem_wait(semaphore) == 0);
  VERIFY(sem_wait(semaphore) == 0);
  pthread_join(thread, 0);
  VERIFY(sem_close(semaphore) == 0);
  VERIFY(sem_unlink(name) == 0);
  return 0;
}
