// Three threads print a line each, under a lock: any order of them is one that
// threads have which run one after the other.

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* Print(void* name) {
  pthread_mutex_lock(&mutex);
  puts(name);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  static char names[3][2] = {"a", "b", "c"};
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, Print, names[i]);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return 0;
}
