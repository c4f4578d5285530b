// A lost update whose every text tries to be markup: thread names, output, the
// condition that fails. A reader of reports must see text, and nothing else.

#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int shared_value;

static void* add(void* name) {
  pthread_setname_np(pthread_self(), name);
  int seen = shared_value;
  shared_value = seen + 1;
  return NULL;
}

int main(void) {
  pthread_t one;
  pthread_t two;
  printf(
      "</script><script>window.ran=1</script> ]]> & \" ' \xff\xfe \x1b[2J\n");
  printf("```\n::error file=x::forged\n[a](javascript:alert(1)) @someone\n");
  fflush(stdout);
  pthread_create(&one, NULL, add, "</script><b>\xff");
  pthread_create(&two, NULL, add, "\"'&lt;<img>\x1b");
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  if (shared_value != 2) {
    fprintf(stderr,
            "hostile.c:1: main: Assertion `\"</script><img src=x "
            "onerror=window.ran=1>\" && \xff%d' failed.\n",
            shared_value);
    abort();
  }
  return 0;
}
