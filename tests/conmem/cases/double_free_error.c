// EXPECT: dangling
// Two ways to give up a request: the error path and the abort. Both look
// whether the buffer is there, and both free it.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct request {
  pthread_mutex_t lock;
  char* buffer;
  int status;
};

static void request_drop(struct request* r) {
#ifdef FIXED
  pthread_mutex_lock(&r->lock);
  char* buffer = r->buffer;
  r->buffer = NULL;
  pthread_mutex_unlock(&r->lock);
  free(buffer);
#else
  if (r->buffer != NULL) {
    free(r->buffer);
    r->buffer = NULL;
  }
#endif
}

static int submit(struct request* r, int length) {
  if (length > 64) {
    r->status = -22;
    request_drop(r);
    return -1;
  }
  return 0;
}

static void* io(void* arg) {
  submit(arg, 100);
  return NULL;
}
static void* aborter(void* arg) {
  request_drop(arg);
  return NULL;
}
int main(void) {
  struct request r = {.lock = PTHREAD_MUTEX_INITIALIZER};
  r.buffer = malloc(64);
  memset(r.buffer, 'x', 64);
  pthread_t a, b;
  pthread_create(&a, NULL, io, &r);
  pthread_create(&b, NULL, aborter, &r);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
