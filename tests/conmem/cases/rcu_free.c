// EXPECT: dangling
// A route is replaced by an atomic store and freed without a grace period.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct route {
  unsigned gateway;
  unsigned metric;
};
static _Atomic(struct route*) current;
static atomic_int readers;

static unsigned lookup(void) {
#ifdef FIXED
  atomic_fetch_add(&readers, 1);
#endif
  struct route* route = atomic_load(&current);
  unsigned via = route->gateway + route->metric;
#ifdef FIXED
  atomic_fetch_sub(&readers, 1);
#endif
  return via;
}

static void* forward(void* arg) {
  unsigned* via = arg;
  for (int i = 0; i < 5; ++i) *via += lookup();
  return NULL;
}

static void* update(void* unused) {
  struct route* made = malloc(sizeof *made);
  made->gateway = 0x0a000002;
  made->metric = 2;
  struct route* old = atomic_exchange(&current, made);
#ifdef FIXED
  while (atomic_load(&readers) != 0) {
  }
#endif
  free(old);
  return unused;
}

int main(void) {
  struct route* first = malloc(sizeof *first);
  first->gateway = 0x0a000001;
  first->metric = 1;
  atomic_store(&current, first);
  unsigned via = 0;
  pthread_t a, b;
  pthread_create(&a, NULL, forward, &via);
  pthread_create(&b, NULL, update, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(atomic_load(&current));
  return 0;
}
