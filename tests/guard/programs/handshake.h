// Each program has two ways through it. `good` is the order that is meant;
// `bad` makes the other one certain unless the thread that comes too early is
// held back: who is late first sees to it that the early one is at its access.
#ifndef HANDSHAKE_H_
#define HANDSHAKE_H_

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int early_is_there;
static int is_bad;

// Called by the early one ahead of its access.
static inline void i_am_early(void) { atomic_store(&early_is_there, 1); }

// Called by the late one ahead of his. By then the other has long been there.
static inline void wait_for_early(void) {
  if (!is_bad) return;
  while (atomic_load(&early_is_there) == 0) sched_yield();
  for (int i = 0; i < 2000; ++i) sched_yield();
}

// For main, who must not look at what threads look at: in which order they do
// is chance.
static inline int read_way(int argc, char** argv) {
  is_bad = argc > 1 && strcmp(argv[1], "bad") == 0;
  return is_bad;
}

#endif
