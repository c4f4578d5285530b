// PBZIP2: consumers lock a queue by a pointer that main clears at the end.
//
// main waits until the last block is written, not until the consumers are gone.
//
// The fix: main joins the consumers before it clears the pointer.

#include <semaphore.h>

#include "../zoo.h"

namespace {

constexpr unsigned kBlocks = 8;
constexpr unsigned kConsumers = 2;

struct Queue {
  unsigned blocks[kBlocks];
  unsigned head;
  unsigned tail;
  pthread_mutex_t* mut;  // NULL once the queue is deleted
};

Queue queue;
pthread_mutex_t queue_mutex = PTHREAD_MUTEX_INITIALIZER;
sem_t num_written;

// The first byte of the mutex is looked at, as an inlined fast path would.
void Lock(Queue* q) { pthread_mutex_lock(q->mut); }
void Unlock(Queue* q) {
  pthread_mutex_t* mut = q->mut;
  *reinterpret_cast<volatile char*>(mut);
  pthread_mutex_unlock(mut);
}

void* Consume(void* argument) {
  auto* fifo = static_cast<Queue*>(argument);
  zoo_start();
  for (;;) {
    Lock(fifo);
    if (fifo->head == fifo->tail) {
      Unlock(fifo);
      return nullptr;
    }
    const unsigned block = fifo->blocks[fifo->head++];
    Unlock(fifo);
    zoo_compute(2000, block);  // compresses it
    sem_post(&num_written);
  }
}

void QueueDelete(Queue* q) {
  pthread_mutex_destroy(q->mut);
  q->mut = nullptr;
}

}  // namespace

int main() {
  sem_init(&num_written, 0, 0);
  queue.mut = &queue_mutex;
  for (unsigned i = 0; i < kBlocks; ++i) queue.blocks[queue.tail++] = i * i;
  zoo_threads(kConsumers + 1);
  pthread_t consumers[kConsumers];
  for (pthread_t& consumer : consumers) consumer = zoo_spawn(Consume, &queue);
  zoo_start();
  for (unsigned i = 0; i < kBlocks; ++i) sem_wait(&num_written);
  zoo_device(300000);  // closes the output file
  for (const pthread_t consumer : consumers) zoo_join(consumer);
  QueueDelete(&queue);
  return 0;
}
