/* Aget: on a signal, the state of a download is saved, to be resumed later.
 *
 * Each worker has an offset; `bwritten` is the sum over all.
 *
 * The bug: the worker changes the sum under a lock, but its offset outside.
 * The saved record may have one without the other.
 */

#include "../zoo.h"

enum { kWorkers = 2, kChunks = 4, kChunkSize = 100 };

struct record {
  unsigned offsets[kWorkers];
  unsigned bwritten;
};

static pthread_mutex_t bwritten_lock = PTHREAD_MUTEX_INITIALIZER;
static struct record progress;
static struct record saved;

static void advance(unsigned worker, unsigned bytes) {
  progress.offsets[worker] += bytes;
  pthread_mutex_lock(&bwritten_lock);
  progress.bwritten += bytes;
  pthread_mutex_unlock(&bwritten_lock);
}

static void save(void) {
  for (unsigned i = 0; i < kWorkers; ++i) {
    saved.offsets[i] = progress.offsets[i];
  }
  pthread_mutex_lock(&bwritten_lock);
  saved.bwritten = progress.bwritten;
  pthread_mutex_unlock(&bwritten_lock);
}

static void* download(void* argument) {
  const unsigned worker = *(const unsigned*)argument;
  zoo_start();
  for (unsigned i = 0; i < kChunks; ++i) {
    zoo_compute(500, i);
    advance(worker, kChunkSize);
  }
  return NULL;
}

static void* handle_signals(void* argument) {
  zoo_start();
  zoo_device(15000); /* the user interrupts */
  save();
  return argument;
}

int main(void) {
  unsigned workers[kWorkers] = {0, 1};
  zoo_threads(kWorkers + 1);
  const pthread_t one = zoo_spawn(download, &workers[0]);
  const pthread_t two = zoo_spawn(download, &workers[1]);
  const pthread_t signals = zoo_spawn(handle_signals, NULL);
  zoo_join(one);
  zoo_join(two);
  zoo_join(signals);
  const unsigned sum = saved.offsets[0] + saved.offsets[1];
  if (sum != saved.bwritten) zoo_wrong("saved sum", saved.bwritten, sum);
  return 0;
}
