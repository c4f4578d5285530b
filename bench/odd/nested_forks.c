// Threads fork children that make threads that fork grandchildren; atfork
// handlers keep a lock whole.
// FLAGS: -O2

#include <sys/wait.h>

#include "want.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int generation, busy;

static void before(void) { pthread_mutex_lock(&mutex); }
static void in_parent(void) { pthread_mutex_unlock(&mutex); }
static void in_child(void) {
  generation++;
  pthread_mutex_unlock(&mutex);
}

static int end_of(pid_t child) {
  int status;
  want(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void* grandchild(void* unused) {
  const pid_t child = fork();
  if (child == 0) _exit(generation);
  return (char*)unused + end_of(child);
}

static void* forker(void* number) {
  pthread_mutex_lock(&mutex);
  busy++;
  pthread_mutex_unlock(&mutex);
  const pid_t child = fork();
  if (child == 0) {
    pthread_mutex_lock(&mutex);  // Nobody holds it here, whoever did there.
    pthread_mutex_unlock(&mutex);
    const long sum = (long)finish(start(grandchild, NULL));
    _exit((int)(sum * 10 + generation + (long)number * 30));
  }
  return (void*)(long)end_of(child);
}

int main(void) {
  want(pthread_atfork(before, in_parent, in_child) == 0);
  pthread_t threads[3];
  for (long i = 0; i < 3; i++) threads[i] = start(forker, (void*)i);
  for (int i = 0; i < 3; i++) printf("%ld ", (long)finish(threads[i]));
  printf("busy %d, generation %d\n", busy, generation);
  return 0;
}
