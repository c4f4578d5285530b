// A ring for one producer and one consumer: the producer says that there is an
// item before it has put it there. Fix: the other order in Push.
//
// FUNCTIONS: Push Pop

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { kSlots = 4, kItems = 3 };

struct Ring {
  _Atomic unsigned head;
  _Atomic unsigned tail;
  _Atomic int slots[kSlots];
};

static struct Ring* ring;

static void Push(int item) {
  const unsigned head = atomic_load(&ring->head);
  while (head - atomic_load(&ring->tail) == kSlots) {
  }
  atomic_store(&ring->head, head + 1);              // SHOWS
  atomic_store(&ring->slots[head % kSlots], item);  // SHOWS
}

static int Pop(void) {
  const unsigned tail = atomic_load(&ring->tail);
  while (atomic_load(&ring->head) == tail) {  // SHOWS
  }
  const int item = atomic_load(&ring->slots[tail % kSlots]);  // SHOWS
  atomic_store(&ring->tail, tail + 1);
  return item;
}

static void* Produce(void* unused) {
  for (int i = 1; i <= kItems; ++i) Push(i);
  return unused;
}

int main(void) {
  ring = calloc(1, sizeof(*ring));
  pthread_t producer;
  if (pthread_create(&producer, NULL, Produce, NULL) != 0) return 2;
  for (int i = 1; i <= kItems; ++i) {
    const int item = Pop();
    assert(item == i);  // SHOWS
  }
  pthread_join(producer, NULL);
  free(ring);
  return 0;
}
