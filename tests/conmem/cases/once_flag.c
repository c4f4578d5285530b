// EXPECT: null
// A module's state is published by a flag; unload clears the state before the
// flag.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct state {
  int counters[8];
};
static _Atomic int loaded;
static struct state* _Atomic state;
static atomic_int users;
static void* worker(void* arg) {
  int i = *(int*)arg;
#ifdef FIXED
  atomic_fetch_add(&users, 1);
#endif
  if (atomic_load(&loaded)) atomic_load(&state)->counters[i]++;
#ifdef FIXED
  atomic_fetch_sub(&users, 1);
#endif
  return NULL;
}
static void* unload(void* u) {
  struct state* s = atomic_load(&state);
  atomic_store(&loaded, 0);
#ifdef FIXED
  while (atomic_load(&users)) {
  }
#endif
  atomic_store(&state, NULL);
  free(s);
  return u;
}
int main(void) {
  int one = 1, two = 2;
  pthread_t a, b, c;
  atomic_store(&state, calloc(1, sizeof(struct state)));
  atomic_store(&loaded, 1);
  pthread_create(&a, NULL, worker, &one);
  pthread_create(&b, NULL, worker, &two);
  pthread_create(&c, NULL, unload, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
