// EXPECT: uninit
// The thread is started before the last field of its argument is set.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { kMagic = 77 };
struct job {
  int magic;
  int done;
};

static void* worker(void* argument) {
  struct job* job = argument;
  assert(job->magic == kMagic);
  job->done = 1;
  return NULL;
}

int main(void) {
  pthread_t thread;
  struct job* job = malloc(sizeof *job);
#ifdef FIXED
  job->magic = kMagic;
#endif
  pthread_create(&thread, NULL, worker, job);
#ifndef FIXED
  job->magic = kMagic;
#endif
  pthread_join(thread, NULL);
  free(job);
  return 0;
}
