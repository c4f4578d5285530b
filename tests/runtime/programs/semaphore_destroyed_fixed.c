// The twin of semaphore_destroyed: a post for each, and all are gone when it is
// destroyed. A semaphore in the same place after that is a new one.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>
#include <semaphore.h>

static void* post_twice(void* done) {
  sem_post(done);
  sem_post(done);
  return 0;
}

static void* wait_for_it(void* done) {
  sem_wait(done);
  return 0;
}

static void run(void) {
  pthread_t threads[2];
  sem_t done;
  sem_init(&done, 0, 0);
  pthread_create(&threads[0], 0, post_twice, &done);
  pthread_create(&threads[1], 0, wait_for_it, &done);
  sem_wait(&done);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  sem_destroy(&done);
}

int main(void) {
  for (int i = 0; i < 3; ++i) run();
  return 0;
}
