/* Transmission #1660: a session starts, and its peer thread begins at once.
 *
 * The handle `h` is allocated, the thread that pulses peers is started, and
 * the rest of the handle is made.
 *
 * The fix: the handle is complete before the thread starts.
 */

#include <assert.h>

#include "../zoo.h"

enum { kMagic = 43143, kPeers = 6 };

struct bandwidth {
  int magic;
  unsigned limit;
  unsigned used;
};

struct handle {
  unsigned peers[kPeers];
  struct bandwidth* bandwidth;
  unsigned sent;
};

static struct bandwidth* new_bandwidth(unsigned limit) {
  struct bandwidth* made = malloc(sizeof *made);
  made->magic = kMagic;
  made->limit = limit;
  made->used = 0;
  return made;
}

static int is_bandwidth(const struct bandwidth* bandwidth) {
  return bandwidth != NULL && bandwidth->magic == kMagic;
}

static void allocate(struct handle* h, unsigned bytes) {
  assert(is_bandwidth(h->bandwidth));
  if (h->bandwidth->used + bytes > h->bandwidth->limit) {
    bytes = h->bandwidth->limit - h->bandwidth->used;
  }
  h->bandwidth->used += bytes;
  h->sent += bytes;
}

static void* pulse_peers(void* argument) {
  struct handle* h = argument;
  zoo_start();
  zoo_device(100000); /* the tracker answers */
  for (unsigned i = 0; i < kPeers; ++i) h->peers[i] = 100 + i;
  for (unsigned i = 0; i < kPeers; ++i) allocate(h, h->peers[i]);
  return NULL;
}

int main(void) {
  struct handle* h = malloc(sizeof *h);
  h->sent = 0;
  zoo_threads(2);
  zoo_compute(5000, 1); /* reads its settings */
  h->bandwidth = new_bandwidth(500);
  const pthread_t thread = zoo_spawn(pulse_peers, h);
  zoo_start();
  zoo_join(thread);
  if (h->sent != 500) zoo_wrong("bytes sent", h->sent, 500);
  free(h->bandwidth);
  free(h);
  return 0;
}
