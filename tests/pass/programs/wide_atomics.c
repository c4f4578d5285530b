// Flags: -latomic
//
// Atomic operations on sixteen bytes are ordinary ones without a value; wider
// ones are calls of libatomic, seen as ranges that have an order.

#include <stdatomic.h>

struct Wide {
  long words[5];
};

static _Atomic(__int128) sixteen;
static _Atomic(struct Wide) wide;

int main(void) {
  struct Wide copy = {{1, 2, 3, 4, 5}};
  atomic_store(&sixteen, 3);  // fires atomic-store/16=0~seq_cst
  int three = (int)atomic_load(&sixteen);  // fires atomic-load/16=0~seq_cst
  atomic_store(&wide, copy);  // fires range-write/40~seq_cst, range-read x*, range-write x*, load x*, store x*
  copy = atomic_load(&wide);  // fires range-read/40~seq_cst, range-read x*, range-write x*, load x*, store x*
  return three == 3 && copy.words[4] == 5 ? 0 : 1;  // fires load x*
}
