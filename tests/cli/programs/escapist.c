// Puts what a terminal obeys into everything that it may name: a thread, an
// assertion, a file, a function, both streams.
#include <pthread.h>
#include <stdio.h>

// What assert() calls; with NDEBUG its header does not say so.
_Noreturn void __assert_fail(const char* text, const char* file, unsigned line,
                             const char* function);

static void* named(void* unused) {
  pthread_setname_np(pthread_self(), "\x1b[31mR\x1b]0;T\a");
  return unused;
}

int main(void) {
  pthread_t thread;
  printf(
      "\x1b]0;title\a\x1b[2J hello \x9b"
      "31m\n");
  fflush(stdout);
  fprintf(stderr,
          "\x1b[2Jerror \xc2\x9b"
          "31m\n");
  pthread_create(&thread, 0, named, 0);
  pthread_join(thread, 0);
  __assert_fail("x\x1b[31m\x1b]0;evil\a\xff<b>", "\x1b[5mfile.c", 1,
                "f\x1b[7m");
}
