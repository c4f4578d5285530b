// Two threads count up under a lock, so often that an execution under control
// takes long. Says so first, on a descriptor that it is given by number.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long total;
static long times;

static void* Count(void* unused) {
  for (long i = 0; i < times; ++i) {
    pthread_mutex_lock(&mutex);
    total += i;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(int argc, char** argv) {
  times = argc > 1 ? atol(argv[1]) : 10;
  printf("counting to %ld\n", times);
  fflush(stdout);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, Count, NULL);
  if (argc > 2) {
    if (write(atoi(argv[2]), "x", 1) != 1) return 3;
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return total == times * (times - 1) ? 0 : 1;
}
