// Threads print to a stream of the program's own functions, which libc calls
// with the stream's lock.
// RACES: none

#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static long lines;

static ssize_t Count(void* cookie, const char* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) *(long*)cookie += bytes[i] == '\n';
  return (ssize_t)size;
}

static void* Print(void* stream) {
  for (int i = 0; i < 4; ++i) fprintf(stream, "line %d\n", i);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  FILE* stream =
      fopencookie(&lines, "w", (cookie_io_functions_t){.write = Count});
  if (stream == 0 || setvbuf(stream, 0, _IONBF, 0) != 0) return 2;
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, Print, stream);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return fclose(stream) == 0 && lines == 8 ? 0 : 1;
}
