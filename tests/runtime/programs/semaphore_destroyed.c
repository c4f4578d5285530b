// Destroys a semaphore that another thread waits for or comes to.
//
// EXPECT: ended(0) ended(0)+misuse deadlock
// TEXT:   waits for semaphore
// TEXT:   destroys what others wait for

#include <pthread.h>
#include <semaphore.h>

static sem_t done;

static void* work(void* unused) {
  (void)unused;
  sem_post(&done);
  return 0;
}

static void* wait_for_it(void* unused) {
  (void)unused;
  sem_wait(&done);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  sem_init(&done, 0, 0);
  pthread_create(&threads[0], 0, work, 0);
  pthread_create(&threads[1], 0, wait_for_it, 0);
  sem_wait(&done);
  sem_destroy(&done);
  pthread_join(threads[0], 0);
  return 0;
}
