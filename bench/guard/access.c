/* What a guarded access costs: two threads (or one, with an argument) go over
 * 4,096 shared words, and print nanoseconds per access. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { kWords = 4096, kRounds = 500 };
static long all[kWords];

static void* go(void* argument) {
  const int number = argument != NULL;
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kWords; ++i) all[i] += number;
  }
  return NULL;
}

int main(int argc, char** argv) {
  (void)argv;
  struct timespec begin, end;
  pthread_t threads[2];
  const int count = argc > 1 ? 1 : 2;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
  for (int i = 0; i < count; ++i) {
    pthread_create(&threads[i], NULL, go, i == 0 ? NULL : (void*)all);
  }
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  long sum = 0;
  for (int i = 0; i < kWords; ++i) sum += all[i];
  const double ns = (double)(end.tv_sec - begin.tv_sec) * 1e9 +
                    (double)(end.tv_nsec - begin.tv_nsec);
  printf("%.1f\n", ns / count / kRounds / kWords / 2);
  return sum < 0;
}
