/* A producer fills a batch and wakes the consumer.
 *
 * The fix: the consumer tests `ready` under the lock, in a loop.
 */

#include "../zoo.h"

enum { kBatch = 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int ready;
static unsigned batch[kBatch];
static unsigned sum;

static void wait_until_ready(void) {
  pthread_mutex_lock(&lock);
  while (!ready) pthread_cond_wait(&filled, &lock);
  pthread_mutex_unlock(&lock);
}

static void* consume(void* argument) {
  zoo_start();
  zoo_compute(1000, 1); /* opens its output */
  wait_until_ready();
  for (unsigned i = 0; i < kBatch; ++i) sum += batch[i];
  return argument;
}

static void* produce(void* argument) {
  zoo_start();
  zoo_device(100000); /* reads its input */
  for (unsigned i = 0; i < kBatch; ++i) batch[i] = i;
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  zoo_threads(2);
  const pthread_t one = zoo_spawn(consume, NULL);
  const pthread_t two = zoo_spawn(produce, NULL);
  zoo_join(one);
  zoo_join(two);
  if (sum != 45) zoo_wrong("sum of the batch", sum, 45);
  return 0;
}
