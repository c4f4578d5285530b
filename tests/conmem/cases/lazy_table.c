// EXPECT: uninit
// Lazy initialisation: "ready" is set before the table is.
#include <pthread.h>
#include <stdlib.h>

struct crypto {
  int ready;
  unsigned* table;
};
static struct crypto ctx;
static pthread_mutex_t init_lock = PTHREAD_MUTEX_INITIALIZER;

static void ctx_init(struct crypto* c) {
  pthread_mutex_lock(&init_lock);
  if (!c->ready) {
#ifndef FIXED
    c->ready = 1;
#endif
    unsigned* table = malloc(16 * sizeof *table);
    for (unsigned i = 0; i < 16; ++i) table[i] = i * 2654435761u;
    c->table = table;
    c->ready = 1;
  }
  pthread_mutex_unlock(&init_lock);
}

static unsigned digest(struct crypto* c, unsigned x) {
#ifdef FIXED
  ctx_init(c);
#else
  if (!c->ready) ctx_init(c);
#endif
  return c->table[x % 16] ^ x;
}

static void* hash(void* arg) {
  unsigned* x = arg;
  *x = digest(&ctx, *x);
  return NULL;
}
int main(void) {
  unsigned x = 5, y = 9;
  pthread_t a, b;
  pthread_create(&a, NULL, hash, &x);
  pthread_create(&b, NULL, hash, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(ctx.table);
  return 0;
}
