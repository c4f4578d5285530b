// EXPECT: dangling
// A request on the stack: who submits it waits until it was taken, not until it
// is done.
#include <pthread.h>
#include <stdio.h>

struct request {
  int opcode;
  int sectors[16];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct request* queued;
static int sum, taken;

static void* device(void* unused) {
  pthread_mutex_lock(&lock);
  while (queued == NULL) pthread_cond_wait(&changed, &lock);
  struct request* request = queued;
#ifndef FIXED
  taken = 1;
  pthread_cond_signal(&changed);
#endif
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 4; ++i) sum += request->sectors[i] + request->opcode;
#ifdef FIXED
  pthread_mutex_lock(&lock);
  taken = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
#endif
  return unused;
}

__attribute__((noinline)) static void submit(int opcode) {
  struct request request = {.opcode = opcode, .sectors = {1, 2, 3, 4}};
  pthread_mutex_lock(&lock);
  queued = &request;
  pthread_cond_signal(&changed);
  while (!taken) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
}

static void* submitter(void* unused) {
  submit(2);
  pthread_mutex_lock(&lock);
  queued = NULL;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, device, NULL);
  pthread_create(&threads[1], NULL, submitter, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  printf("%s\n", sum >= 0 ? "ok" : "odd");
  return 0;
}
