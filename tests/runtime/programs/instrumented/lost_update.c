// Two threads increment without a lock: an update may be lost, in either order.
//
// EXPECT: ended(0) ended(1)

#include <pthread.h>

static int counter;

static void* count(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; ++i) ++counter;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, count, 0);
  pthread_create(&b, 0, count, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return counter == 6 ? 0 : 1;
}
