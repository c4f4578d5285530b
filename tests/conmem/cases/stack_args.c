// EXPECT: uninit
// The worker's arguments lie on main's stack; one is set after it was started.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct job {
  int id;
  const char* path;
  char* buffer;
  int* result;
};
static void* run(void* arg) {
  struct job* job = arg;
  *job->result = job->id + (int)strlen(job->path);
  job->buffer[0] = 'x';
  return NULL;
}
int main(void) {
  struct job job;
  int result = 0;
  pthread_t t;
  job.id = 3;
  job.path = "/tmp/x";
  job.result = &result;
#ifdef FIXED
  job.buffer = malloc(16);
#endif
  pthread_create(&t, NULL, run, &job);
#ifndef FIXED
  job.buffer = malloc(16);
#endif
  pthread_join(t, NULL);
  printf("%d\n", result);
  free(job.buffer);
  return 0;
}
