// Takes a lock as often as it was started with this file: each execution has
// more events than the one before.

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  FILE* file = fopen(argv[1], "a");
  if (file == NULL || fputc('.', file) == EOF) return 3;
  fflush(file);
  for (long i = ftell(file); i > 0; --i) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
  }
  return fclose(file);
}
