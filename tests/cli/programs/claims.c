// Says what should be so in some execution: one thing is, one never is.

#include <fairlead/fairlead.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first;

static void* Run(void* argument) {
  pthread_mutex_lock(&lock);
  if (first == 0) first = 2;
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, Run, NULL);
  pthread_mutex_lock(&lock);
  if (first == 0) first = 1;
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  fairlead_sometimes(first == 1, "main is first");
  fairlead_sometimes(first == 2, "the thread is first");
  fairlead_sometimes(first == 3, "a third one is first");
  fairlead_reachable("the end");
  return 0;
}
