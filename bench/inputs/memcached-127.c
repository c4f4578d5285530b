/* Workers that serve an `i` increment the counter of memcached-127, which is at
 * 97: it gains a digit with the third one.
 */

#define main specimen
#define serve specimen_serve
#include SPECIMEN
#undef main
#undef serve
#include "service.h"

static void special(char letter, unsigned worker) {
  (void)worker;
  if (letter == 'i') increment("hits");
}

__attribute__((constructor)) static void fill(void) {
  link_locked(make_item("hits", 97));
}

static void check(const char* input) {
  unsigned long hits = 97;
  for (; *input != 0; ++input) hits += *input == 'i';
  const unsigned long got = number_of(find_locked("hits"));
  if (got != hits) zoo_wrong("hits", (long)got, (long)hits);
}
