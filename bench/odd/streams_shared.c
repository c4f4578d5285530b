// stdio from threads: flockfile groups, memory streams, a stream of our own
// functions, and a locale per thread.
// FLAGS: -O2

#define _GNU_SOURCE
#include <locale.h>

#include "want.h"

static FILE* shared;

static void* lines(void* number) {
  for (int i = 0; i < 5; i++) {
    flockfile(shared);
    for (int j = 0; j < 8; j++) putc_unlocked('a' + (int)(long)number, shared);
    fprintf(shared, "%d", i);
    putc('\n', shared);
    funlockfile(shared);
  }
  locale_t plain = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);
  want(plain != (locale_t)0 && uselocale(plain) == LC_GLOBAL_LOCALE);
  want(uselocale((locale_t)0) == plain && mblen("\303\244", 2) == 2);
  uselocale(LC_GLOBAL_LOCALE);
  freelocale(plain);
  return NULL;
}

static ssize_t count(void* cookie, const char* bytes, size_t size) {
  for (size_t i = 0; i < size; i++) *(long*)cookie += bytes[i] == '\n';
  return (ssize_t)size;
}

static void* into_cookie(void* stream) {
  for (int i = 0; i < 30; i++) fprintf(stream, "line %d\n", i);
  return NULL;
}

int main(void) {
  char* text;
  size_t size;
  shared = open_memstream(&text, &size);
  pthread_t threads[3];
  for (long i = 0; i < 3; i++) threads[i] = start(lines, (void*)i);
  for (int i = 0; i < 3; i++) finish(threads[i]);
  want(fclose(shared) == 0);
  int whole = 0;
  for (char *rest = text, *line; (line = strsep(&rest, "\n")) && *line;)
    whole +=
        strlen(line) == 9 && strspn(line, "abc") == 8 && line[0] == line[7];
  long newlines = 0;
  FILE* own =
      fopencookie(&newlines, "w", (cookie_io_functions_t){.write = count});
  char buffer[50];
  want(own != NULL && setvbuf(own, buffer, _IOFBF, sizeof(buffer)) == 0);
  for (int i = 0; i < 2; i++) threads[i] = start(into_cookie, own);
  for (int i = 0; i < 2; i++) finish(threads[i]);
  want(fclose(own) == 0);
  printf("%zu bytes, %d whole lines, %ld newlines\n", size, whole, newlines);
  free(text);
  return 0;
}
