// EXPECT: dangling
// Who is in charge tells others where its limits are: on its own stack, which
// may be gone when they look.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

struct limits {
  int files;
  int memory;
};

static sem_t ready, seen_files;
static struct limits* limits;
static int seen;

static void* master(void* unused) {
#ifdef FIXED
  static
#endif
      struct limits own = {12, 64};
  own.memory *= 2;
  limits = &own;
  sem_post(&ready);
  sem_wait(&seen_files);
  return unused;
}

static void* worker(void* unused) {
  sem_wait(&ready);
  seen = limits->files;
  sem_post(&seen_files);
  seen += limits->memory;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  sem_init(&ready, 0, 0);
  sem_init(&seen_files, 0, 0);
  pthread_create(&threads[0], NULL, worker, NULL);
  pthread_create(&threads[1], NULL, master, NULL);
  pthread_join(threads[1], NULL);
  pthread_join(threads[0], NULL);
  printf("%s\n", seen >= 0 ? "ok" : "odd");
  return 0;
}
