// EXPECT: dangling
// A timeout and a close both take a connection off its list and free it: the
// flag that says it is gone is looked at without the lock.
#include <pthread.h>
#include <stdlib.h>

struct connection {
  struct connection *next, *prev;
  int closed;
  int id;
};
static struct connection list = {&list, &list, 0, 0};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct connection* add(int id) {
  struct connection* c = malloc(sizeof *c);
  c->id = id;
  c->closed = 0;
  c->next = list.next;
  c->prev = &list;
  list.next->prev = c;
  list.next = c;
  return c;
}

static void unlink_locked(struct connection* c) {
  c->prev->next = c->next;
  c->next->prev = c->prev;
}

static struct connection* find(int id) {
  struct connection* c = list.next;
  while (c != &list && c->id != id) c = c->next;
  return c == &list ? NULL : c;
}

static void drop(int id) {
  pthread_mutex_lock(&lock);
  struct connection* c = find(id);
#ifndef FIXED
  pthread_mutex_unlock(&lock);
  if (c == NULL || c->closed) return;
  c->closed = 1;
  pthread_mutex_lock(&lock);
#endif
  if (c != NULL) unlink_locked(c);
  pthread_mutex_unlock(&lock);
  free(c);
}

static void* timeout(void* unused) {
  drop(2);
  return unused;
}
static void* closer(void* unused) {
  drop(2);
  return unused;
}
int main(void) {
  pthread_t a, b;
  for (int i = 0; i < 4; ++i) add(i);
  pthread_create(&a, NULL, timeout, NULL);
  pthread_create(&b, NULL, closer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
