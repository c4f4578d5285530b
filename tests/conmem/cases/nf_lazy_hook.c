// EXPECT: null
// A table's private part is looked up through an accessor; unregister clears
// it.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct priv {
  int rules;
  int hits;
};
struct table {
  const char* name;
  struct priv* priv;
  int users;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct table table = {.name = "filter"};
static inline struct priv* table_priv(const struct table* t) { return t->priv; }
static int is_registered(const struct table* t) {
  return table_priv(t) != NULL;
}
static void* packet(void* u) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  if (is_registered(&table)) {
    table_priv(&table)->hits++;
    if (table_priv(&table)->rules > 2) table.users++;
  }
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return u;
}
static void* unregister(void* u) {
  pthread_mutex_lock(&lock);
  table.priv = NULL;
  pthread_mutex_unlock(&lock);
  return u;
}
int main(void) {
  struct priv* p = calloc(1, sizeof *p);
  p->rules = 3;
  table.priv = p;
  pthread_t a, b;
  pthread_create(&a, NULL, packet, NULL);
  pthread_create(&b, NULL, unregister, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d\n", p->hits >= 0);
  free(p);
  return 0;
}
