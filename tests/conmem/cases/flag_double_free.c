// EXPECT: dangling
// A "released" flag keeps an urb from being freed twice; it is tested and set
// without a lock.
#include <pthread.h>
#include <stdlib.h>
struct urb {
  char* transfer;
  int length;
};
struct ctx {
  struct urb* urb;
  int released;
  pthread_mutex_t lock;
  int errors;
};
static void release(struct ctx* c) {
#ifdef FIXED
  pthread_mutex_lock(&c->lock);
#endif
  if (!c->released) {
    c->released = 1;
    free(c->urb->transfer);
    free(c->urb);
  }
#ifdef FIXED
  pthread_mutex_unlock(&c->lock);
#endif
}
static void* completion(void* a) {
  release(a);
  return NULL;
}
static void* disconnect(void* a) {
  release(a);
  return NULL;
}
int main(void) {
  struct ctx c = {malloc(sizeof(struct urb)), 0, PTHREAD_MUTEX_INITIALIZER, 0};
  c.urb->transfer = malloc(16);
  c.urb->length = 16;
  pthread_t a, b;
  pthread_create(&a, NULL, completion, &c);
  pthread_create(&b, NULL, disconnect, &c);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
