/* Apache #46215: the balancer sends requests to the backend that is less busy.
 *
 * `busy` counts the requests that a backend works on.
 *
 * The fix: choosing and changing are done under the balancer's lock.
 */

#include "../zoo.h"

enum { kBackends = 2, kRequests = 3 };

struct backend {
  unsigned busy;
  unsigned elected; /* how often it was chosen; atomic */
};

static struct backend backends[kBackends];
static pthread_mutex_t balancer_lock = PTHREAD_MUTEX_INITIALIZER;

static struct backend* elect(void) {
  pthread_mutex_lock(&balancer_lock);
  struct backend* best = &backends[0];
  for (unsigned i = 1; i < kBackends; ++i) {
    if (backends[i].busy < best->busy) best = &backends[i];
  }
  best->busy = best->busy + 1;
  pthread_mutex_unlock(&balancer_lock);
  __atomic_fetch_add(&best->elected, 1, __ATOMIC_SEQ_CST);
  return best;
}

static void finish(struct backend* backend) {
  pthread_mutex_lock(&balancer_lock);
  backend->busy = backend->busy - 1;
  pthread_mutex_unlock(&balancer_lock);
}

static void* serve(void* argument) {
  const unsigned delay_us = *(const unsigned*)argument;
  zoo_start();
  zoo_device(delay_us);
  for (unsigned i = 0; i < kRequests; ++i) {
    struct backend* backend = elect();
    zoo_compute(1500, i); /* passes the request on */
    finish(backend);
  }
  return NULL;
}

int main(void) {
  unsigned delays_us[2] = {0, 20000};
  zoo_threads(2);
  const pthread_t one = zoo_spawn(serve, &delays_us[0]);
  const pthread_t two = zoo_spawn(serve, &delays_us[1]);
  zoo_join(one);
  zoo_join(two);
  for (unsigned i = 0; i < kBackends; ++i) backends[i].elected = 0;
  struct backend* first = elect(); /* both backends have nothing to do */
  struct backend* second = elect();
  finish(first);
  finish(second);
  for (unsigned i = 0; i < kBackends; ++i) {
    if (backends[i].elected != 1) {
      zoo_wrong("requests of a backend", backends[i].elected, 1);
    }
  }
  return 0;
}
