// A thread may park inside a stdio call, with the lock of its FILE: others that
// use the FILE wait for it, and those that do not go on. Lines stay whole.
//
// EXPECT: ended(0)
// EVENTS: park unpark
// PLAIN: 0

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "verify.h"

enum { kLines = 3 };
static FILE* in;
static FILE* out;
static int seen[2];

static void* write_lines(void* argument) {
  for (int i = 0; i < kLines; ++i) {
    VERIFY(fprintf(out, "%s\n", (const char*)argument) > 0);
    fflush(out);
  }
  return NULL;
}

static void* read_lines(void* argument) {
  char line[64];
  while (fgets(line, sizeof(line), in) != NULL) {
    if (strcmp(line, "one and one\n") == 0) {
      __atomic_fetch_add(&seen[0], 1, __ATOMIC_SEQ_CST);
    } else {
      VERIFY(strcmp(line, "two and two\n") == 0);
      __atomic_fetch_add(&seen[1], 1, __ATOMIC_SEQ_CST);
    }
  }
  return argument;
}

int main(void) {
  int fds[2];
  VERIFY(pipe(fds) == 0);
  in = fdopen(fds[0], "r");
  out = fdopen(fds[1], "w");
  pthread_t threads[4];
  pthread_create(&threads[0], NULL, read_lines, NULL);
  pthread_create(&threads[1], NULL, read_lines, NULL);
  pthread_create(&threads[2], NULL, write_lines, "one and one");
  pthread_create(&threads[3], NULL, write_lines, "two and two");
  pthread_join(threads[2], NULL);
  pthread_join(threads[3], NULL);
  fclose(out);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  VERIFY(seen[0] == kLines && seen[1] == kLines);
  return 0;
}
