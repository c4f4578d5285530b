// Threads are cancelled in read, in a condition's wait, in a nested cleanup
// handler's reach and while cancellation is off.
// FLAGS: -O2

#include "want.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int pipe_ends[2];
static char trail[4][8];

static void note(void* where) {
  char* text = where;
  text[strlen(text) + 1] = 0;
  text[strlen(text)] = 'n';
}

static void release(void* where) {
  note(where);
  pthread_mutex_unlock(&mutex);
}

static void* in_read(void* trail) {
  char byte;
  pthread_cleanup_push(note, trail);
  pthread_cleanup_push(note, trail);
  want(read(pipe_ends[0], &byte, 1) == 1);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return NULL;
}

static void* in_wait(void* trail) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(release, trail);
  for (;;) pthread_cond_wait(&never, &mutex);
  pthread_cleanup_pop(0);
  return NULL;
}

static void* switched_off(void* trail) {
  int before;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  for (int i = 0; i < 3; i++) pthread_testcancel();
  note(trail);
  pthread_setcancelstate(before, NULL);
  for (;;) pthread_testcancel();
  return NULL;
}

int main(void) {
  want(pipe(pipe_ends) == 0);
  void* (*bodies[])(void*) = {in_read, in_wait, switched_off, in_wait};
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) threads[i] = start(bodies[i], trail[i]);
  for (int i = 0; i < 4; i++) want(pthread_cancel(threads[i]) == 0);
  for (int i = 0; i < 4; i++) want(finish(threads[i]) == PTHREAD_CANCELED);
  // A thread that was cancelled before it began waiting has still pushed its
  // handlers: both places are the first cancellation points of their threads.
  printf("%s %s %s %s\n", trail[0], trail[1], trail[2], trail[3]);
  return 0;
}
