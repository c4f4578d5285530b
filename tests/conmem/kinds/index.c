// EXPECT: overflow
// An index is checked, and read again for the store: another thread has moved
// it on meanwhile.
#include <pthread.h>
#include <stdlib.h>

enum { kRoom = 4 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int* slots;
static unsigned used = kRoom - 1;

static void* put(void* unused) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  if (used < kRoom) slots[used] = 1;
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return unused;
}

static void* move_on(void* unused) {
  pthread_mutex_lock(&lock);
  ++used;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  slots = calloc(kRoom, sizeof *slots);
  pthread_create(&threads[0], NULL, put, NULL);
  pthread_create(&threads[1], NULL, move_on, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  free(slots);
  return 0;
}
