// Each of two threads waits for a word of the other's, and whoever looks first
// whether it has to answer waits for ever.
//
// EXPECT: ended(0) deadlock
// TEXT: waits to read from descriptor

#include <pthread.h>
#include <unistd.h>

static int to_worker[2], to_main[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int asked;

static void* work(void* argument) {
  char word;
  if (asked) write(to_main[1], "a", 1);
  read(to_worker[0], &word, 1);
  return argument;
}

int main(void) {
  pthread_t worker;
  char word;
  pipe(to_worker);
  pipe(to_main);
  pthread_create(&worker, NULL, work, NULL);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  asked = 1;
  write(to_worker[1], "q", 1);
  read(to_main[0], &word, 1);
  pthread_join(worker, NULL);
  return 0;
}
