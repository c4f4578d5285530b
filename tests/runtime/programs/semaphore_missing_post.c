// An early return forgets to post.
//
// EXPECT: deadlock
// TEXT:   waits for semaphore

#include <pthread.h>
#include <semaphore.h>

static sem_t free_slots;

static int use_slot(int fails) {
  sem_wait(&free_slots);
  if (fails) return -1;
  sem_post(&free_slots);
  return 0;
}

static void* work(void* unused) {
  (void)unused;
  use_slot(1);
  return 0;
}

int main(void) {
  pthread_t thread;
  sem_init(&free_slots, 0, 1);
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return use_slot(0);
}
