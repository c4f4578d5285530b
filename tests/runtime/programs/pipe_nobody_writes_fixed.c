// The twin of pipe_nobody_writes: the worker answers when it has been asked.
//
// EXPECT: ended(0)

#include <pthread.h>
#include <unistd.h>

static int to_worker[2], to_main[2];

static void* work(void* argument) {
  char word;
  read(to_worker[0], &word, 1);
  write(to_main[1], "a", 1);
  return argument;
}

int main(void) {
  pthread_t worker;
  char word;
  pipe(to_worker);
  pipe(to_main);
  pthread_create(&worker, NULL, work, NULL);
  write(to_worker[1], "q", 1);
  read(to_main[0], &word, 1);
  pthread_join(worker, NULL);
  return 0;
}
