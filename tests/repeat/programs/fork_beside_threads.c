// A thread waits for a child while others run, and go wrong: when the child was
// found to have ended is repeated. It cannot end before the first look for it.
//
// OPTIONS: --executions 200
// FINDS: assertion
// SEEDS: 3

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kRounds = 40 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static int ends[2];  // the child lives until the second one is closed

static void* add(void* closes) {
  for (int i = 0; i < kRounds; ++i) {
    pthread_mutex_lock(&lock);
    const int seen = sum;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    sum = seen + 1;
    pthread_mutex_unlock(&lock);
    if (closes != NULL && i == 2) close(ends[1]);
  }
  return NULL;
}

static void run_child(void) {
  char byte;
  close(ends[1]);
  _exit(read(ends[0], &byte, 1) == 0 ? 3 : 4);
}

int main(void) {
  pthread_t threads[2];
  int status = 0;
  if (pipe(ends) != 0) abort();
  const pid_t child = fork();
  if (child == 0) run_child();
  for (int i = 0; i < 2; ++i) {
    pthread_create(&threads[i], NULL, add, i == 0 ? &ends : NULL);
  }
  const pid_t second = fork();
  if (second == 0) _exit(3);
  if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 3) abort();
  if (waitpid(second, &status, 0) != second) abort();
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(sum == 2 * kRounds);
  return 0;
}
