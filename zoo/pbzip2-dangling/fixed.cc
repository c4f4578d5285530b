// PBZIP2: consumers take blocks from a queue that main made, and deletes.
//
// main waits until all blocks are written, not until the consumers are gone.
// Each consumer looks into the queue once more to learn that there is nothing.
//
// The fix: main joins the consumers first.

#include "../zoo.h"

namespace {

constexpr unsigned kBlocks = 8;
constexpr unsigned kConsumers = 2;

struct Queue {
  unsigned* blocks;
  unsigned head;
  unsigned tail;
  pthread_mutex_t* mut;
};

pthread_mutex_t out_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t written = PTHREAD_COND_INITIALIZER;
unsigned num_written;  // under out_lock
unsigned sum;          // under out_lock

Queue* QueueInit() {
  auto* q = static_cast<Queue*>(malloc(sizeof(Queue)));
  q->blocks = static_cast<unsigned*>(malloc(kBlocks * sizeof(unsigned)));
  q->head = 0;
  q->tail = 0;
  q->mut = static_cast<pthread_mutex_t*>(malloc(sizeof(pthread_mutex_t)));
  pthread_mutex_init(q->mut, nullptr);
  return q;
}

void QueueDelete(Queue* q) {
  pthread_mutex_destroy(q->mut);
  free(q->mut);
  free(q->blocks);
  free(q);
}

void WriteBlock(unsigned block) {
  pthread_mutex_lock(&out_lock);
  sum += block;
  ++num_written;
  pthread_cond_signal(&written);
  pthread_mutex_unlock(&out_lock);
}

void* Consume(void* argument) {
  auto* fifo = static_cast<Queue*>(argument);
  zoo_start();
  for (;;) {
    pthread_mutex_lock(fifo->mut);
    if (fifo->head == fifo->tail) {
      pthread_mutex_unlock(fifo->mut);
      return nullptr;
    }
    const unsigned block = fifo->blocks[fifo->head++];
    pthread_mutex_unlock(fifo->mut);
    zoo_compute(2000, block);  // compresses it
    WriteBlock(block);
  }
}

void WaitUntilWritten() {
  pthread_mutex_lock(&out_lock);
  while (num_written != kBlocks) pthread_cond_wait(&written, &out_lock);
  pthread_mutex_unlock(&out_lock);
}

}  // namespace

int main() {
  Queue* fifo = QueueInit();
  for (unsigned i = 0; i < kBlocks; ++i) fifo->blocks[fifo->tail++] = i * i;
  zoo_threads(kConsumers + 1);
  pthread_t consumers[kConsumers];
  for (pthread_t& consumer : consumers) consumer = zoo_spawn(Consume, fifo);
  zoo_start();
  WaitUntilWritten();
  zoo_device(300000);  // closes the output file
  for (const pthread_t consumer : consumers) zoo_join(consumer);
  QueueDelete(fifo);
  auto* summary = static_cast<char*>(malloc(sizeof(Queue)));
  memset(summary, '=', sizeof(Queue));
  if (sum != 140) zoo_wrong("sum of the blocks", sum, 140);
  free(summary);
  return 0;
}
