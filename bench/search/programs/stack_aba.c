// A lock-free stack whose nodes are used again at once (ABA): a pop that was
// interrupted between reading the next node and swapping the top succeeds
// although the top left and came back.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { kNodes = 3 };

static atomic_int top = -1;        // index of a node; -1 = empty
static atomic_int next[kNodes];    // index; -1 = last
static atomic_int owners[kNodes];  // threads that hold the node

static void push(int node) {
  int old = atomic_load(&top);
  do {
    atomic_store(&next[node], old);
  } while (!atomic_compare_exchange_strong(&top, &old, node));
}

static int pop(void) {
  int old = atomic_load(&top);
  while (old != -1) {
    const int below = atomic_load(&next[old]);
    if (atomic_compare_exchange_strong(&top, &old, below)) return old;
  }
  return -1;
}

static void* work(void* unused) {
  for (int i = 0; i < 2; ++i) {
    const int node = pop();
    if (node == -1) continue;
    assert(atomic_fetch_add(&owners[node], 1) == 0);
    atomic_fetch_sub(&owners[node], 1);
    push(node);
  }
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < kNodes; ++i) push(i);
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return 0;
}
