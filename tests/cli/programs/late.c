// One slot that is read before it is filled does no harm; both do. Exits with 1
// then.

#include <pthread.h>

static volatile int slots[2];
static int sum = 1;

static void* Fill(void* unused) {
  slots[0] = 1;
  slots[1] = 1;
  return unused;
}

static void* Use(void* unused) {
  const int first = slots[0];
  const int second = slots[1];
  sum = first + second;
  return unused;
}

int main(void) {
  pthread_t fill, use;
  pthread_create(&fill, NULL, Fill, NULL);
  pthread_create(&use, NULL, Use, NULL);
  pthread_join(fill, NULL);
  pthread_join(use, NULL);
  return sum == 0 ? 1 : 0;
}
