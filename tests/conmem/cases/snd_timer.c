// EXPECT: dangling
// The ioctl that changes parameters reallocates the event queue while a reader
// copies out of it.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct tread {
  int event;
  int val;
  long stamp;
};
struct user {
  pthread_mutex_t ioctl_lock;
  pthread_mutex_t qlock;
  struct tread* queue;
  int size, head, tail, used;
};
static void push(struct user* tu, int e) {
  pthread_mutex_lock(&tu->qlock);
  if (tu->used < tu->size) {
    tu->queue[tu->tail] = (struct tread){e, e * 2, e};
    tu->tail = (tu->tail + 1) % tu->size;
    ++tu->used;
  }
  pthread_mutex_unlock(&tu->qlock);
}
static int set_params(struct user* tu, int size) {
  pthread_mutex_lock(&tu->ioctl_lock);
#ifdef FIXED
  pthread_mutex_lock(&tu->qlock);
#endif
  free(tu->queue);
  tu->queue = calloc((size_t)size, sizeof *tu->queue);
  tu->size = size;
  tu->head = tu->tail = tu->used = 0;
#ifdef FIXED
  pthread_mutex_unlock(&tu->qlock);
#endif
  pthread_mutex_unlock(&tu->ioctl_lock);
  return 0;
}
static int read_(struct user* tu, struct tread* out) {
  int n = 0;
  pthread_mutex_lock(&tu->qlock);
  while (tu->used > 0) {
    out[n++] = tu->queue[tu->head];
    tu->head = (tu->head + 1) % tu->size;
    --tu->used;
  }
  pthread_mutex_unlock(&tu->qlock);
  return n;
}
static void* reader(void* a) {
  struct tread out[8];
  read_(a, out);
  return NULL;
}
static void* ctl(void* a) {
  set_params(a, 4);
  return NULL;
}
int main(void) {
  struct user tu = {
      PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, NULL, 0, 0, 0, 0};
  set_params(&tu, 8);
  push(&tu, 1);
  push(&tu, 2);
  pthread_t a, b;
  pthread_create(&a, NULL, reader, &tu);
  pthread_create(&b, NULL, ctl, &tu);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(tu.queue);
  return 0;
}
