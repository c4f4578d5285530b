// A work-stealing queue with the order of two steps exchanged: the owner looks
// at the head before it has given back the tail, so that the last item can be
// taken by the owner and by a thief.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { kItems = 4 };

static atomic_int head, tail;
static int items[kItems];
static atomic_int taken[kItems];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void take(int item) { assert(atomic_fetch_add(&taken[item], 1) == 0); }

static void push(int item) {
  const int t = atomic_load(&tail);
  items[t % kItems] = item;
  atomic_store(&tail, t + 1);
}

static void pop(void) {
  const int t = atomic_load(&tail) - 1;
  if (t < atomic_load(&head)) return;  // too early: tail still says t + 1
  atomic_store(&tail, t);
  take(items[t % kItems]);
}

static void steal(void) {
  pthread_mutex_lock(&m);
  const int h = atomic_load(&head);
  atomic_store(&head, h + 1);
  if (h < atomic_load(&tail)) {
    take(items[h % kItems]);
  } else {
    atomic_store(&head, h);
  }
  pthread_mutex_unlock(&m);
}

static void* thief(void* unused) {
  for (int i = 0; i < 2; ++i) steal();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, thief, 0);
  for (int i = 0; i < kItems; ++i) {
    push(i);
    if (i % 2 == 1) pop();
  }
  pop();
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
