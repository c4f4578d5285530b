// The twin of semaphore_missing_post: every way out posts.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>
#include <semaphore.h>

static sem_t free_slots;

static int use_slot(int fails) {
  sem_wait(&free_slots);
  int result = fails ? -1 : 0;
  sem_post(&free_slots);
  return result;
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
