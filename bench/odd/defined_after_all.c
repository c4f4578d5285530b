// Built with UndefinedBehaviorSanitizer: arithmetic at the edges of what is
// defined, in threads; a child that goes over them is told so.
// FLAGS: -O1 -fsanitize=undefined -fno-sanitize-recover=all

#include <limits.h>
#include <sys/wait.h>

#include "want.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned hash;

static void* body(void* number) {
  int table[8] = {0};
  int sum = INT_MAX - 28;
  for (int i = 0; i < 8; i++) {
    table[i] = i;
    sum += table[i];
  }
  unsigned mine = (unsigned)sum;
  for (int i = 0; i < 31; i++) mine ^= 1u << i;
  int out;
  if (__builtin_add_overflow(sum, 1, &out)) mine += (unsigned)out;
  pthread_mutex_lock(&mutex);
  hash += mine * 7 + ((unsigned)(long)number << 30);  // Wraps, as it may.
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(int count, char** arguments) {
  (void)arguments;
  pthread_t threads[3];
  for (long i = 0; i < 3; i++) threads[i] = start(body, (void*)i);
  for (int i = 0; i < 3; i++) finish(threads[i]);
  const pid_t child = fork();
  want(child >= 0);
  if (child == 0) {
    close(2);
    volatile int most = INT_MAX;
    _exit((most + count) & 1);
  }
  int status;
  want(waitpid(child, &status, 0) == child);
  printf("hash %u, child %s\n", hash, status != 0 ? "stopped" : "went on");
  return 0;
}
