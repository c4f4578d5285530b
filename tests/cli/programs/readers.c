// Two threads share standard input, line by line.

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void* read_lines(void* name) {
  char line[256];
  while (fgets(line, sizeof(line), stdin) != NULL) {
    pthread_mutex_lock(&mutex);
    printf("%s: %s", (const char*)name, line);
    ++lines;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, read_lines, "one");
  pthread_create(&threads[1], NULL, read_lines, "two");
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  printf("%d lines\n", lines);
  return 0;
}
