/* Workers that serve a `d` download a chunk of aget-2; an `i` interrupts, and
 * the state is saved.
 */

#define main specimen
#define kWorkers specimen_workers
#include SPECIMEN
#undef main
#undef kWorkers
#include "service.h"

static void special(char letter, unsigned worker) {
  if (letter == 'd') advance(worker, kChunkSize);
  if (letter == 'i') save();
}

static void check(const char* input) {
  const unsigned sum = saved.offsets[0] + saved.offsets[1];
  (void)input;
  if (sum != saved.bwritten) zoo_wrong("saved sum", saved.bwritten, sum);
}
