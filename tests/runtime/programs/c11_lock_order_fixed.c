// c11_lock_order.c with one order for both.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <threads.h>

static mtx_t a, b;

static int other(void* unused) {
  (void)unused;
  mtx_lock(&a);
  mtx_lock(&b);
  mtx_unlock(&b);
  mtx_unlock(&a);
  return 0;
}

int main(void) {
  thrd_t thread;
  mtx_init(&a, mtx_plain);
  mtx_init(&b, mtx_plain);
  thrd_create(&thread, other, 0);
  mtx_lock(&a);
  mtx_lock(&b);
  mtx_unlock(&b);
  mtx_unlock(&a);
  return thrd_join(thread, 0);
}
