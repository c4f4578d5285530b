// One thread sets a variable while another asks for one; and what is drawn from
// rand, which locks for itself, and printed, which does, too, races with
// nothing.
// RACES: low environment_set.c:14 environment_set.c:22
// FIXED: none

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void* ask(void* unused) {
  (void)unused;
  printf("%d\n", rand() % 2);
  if (getenv("MODE") != NULL) puts("mode");
  return NULL;
}

static void* set(void* unused) {
  (void)unused;
  fprintf(stdout, "%d\n", rand() % 3);
#ifndef FIXED
  setenv("MODE", "fast", 1);
#endif
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, ask, NULL);
  pthread_create(&second, NULL, set, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
