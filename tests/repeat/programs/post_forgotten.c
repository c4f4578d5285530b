// Two consumers of three items of which one is never told: semaphores that
// count have no holders.
//
// OPTIONS: --executions 200
// FINDS: lost-wakeup
// SAYS NOT: wait for each other

#include <pthread.h>
#include <semaphore.h>

static sem_t items;

static void* consume(void* unused) {
  (void)unused;
  sem_wait(&items);
  sem_wait(&items);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  sem_init(&items, 0, 0);
  pthread_create(&first, NULL, consume, NULL);
  pthread_create(&second, NULL, consume, NULL);
  for (int i = 0; i < 3; ++i) sem_post(&items);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
