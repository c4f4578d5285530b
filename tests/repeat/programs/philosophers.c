// Three philosophers whose forks are semaphores: each holds one and waits for
// the next. Semaphores that are used as locks have holders.
//
// OPTIONS: --executions 200
// FINDS: deadlock
// SAYS: wait for each other

#include <pthread.h>
#include <semaphore.h>

enum { kSeats = 3 };
static sem_t forks[kSeats];

static void* dine(void* seat) {
  const long left = (long)seat, right = (left + 1) % kSeats;
  sem_wait(&forks[left]);
  sem_wait(&forks[right]);
  sem_post(&forks[right]);
  sem_post(&forks[left]);
  return NULL;
}

int main(void) {
  pthread_t guests[kSeats];
  for (int i = 0; i < kSeats; ++i) sem_init(&forks[i], 0, 1);
  for (long i = 0; i < kSeats; ++i) {
    pthread_create(&guests[i], NULL, dine, (void*)i);
  }
  for (int i = 0; i < kSeats; ++i) pthread_join(guests[i], NULL);
  return 0;
}
