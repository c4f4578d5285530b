// R-W order: main frees the job when it "must be done by now".
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "jitter.h"

struct job {
  int* parts;
  int num_parts;
};
static int sum;

static void* worker(void* argument) {
  struct job* job = argument;
  work(50, 300);
  for (int i = 0; i < job->num_parts; ++i) {
    work(10, 60);
    sum += job->parts[i];
  }
  return NULL;
}

int main(void) {
  struct job* job = malloc(sizeof(*job));
  job->num_parts = 8;
  job->parts = malloc(8 * sizeof(int));
  for (int i = 0; i < 8; ++i) job->parts[i] = 1;
  pthread_t thread;
  pthread_create(&thread, NULL, worker, job);
  work(1800, 5000);
  memset(job->parts, 0, 8 * sizeof(int));
  free(job->parts);
  job->num_parts = 0;
  free(job);
  pthread_join(thread, NULL);
  return sum != 8;
}
