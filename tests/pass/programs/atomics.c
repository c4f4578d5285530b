// Every atomic operation of C tells its kind, its order, what was there and
// what is there now.

#include <stdatomic.h>

static atomic_int word = 5;
static atomic_uchar byte = 0xf0;
static _Atomic(int*) link;
static int object;

static void loads_and_stores(void) {
  atomic_load(&word);  // fires atomic-load/4=5~seq_cst
  atomic_load_explicit(&word, memory_order_acquire);  // fires atomic-load=5~acquire
  atomic_load_explicit(&word, memory_order_relaxed);  // fires atomic-load=5~relaxed
  atomic_store(&word, 7);  // fires atomic-store/4=7~seq_cst
  atomic_store_explicit(&word, 9, memory_order_release);  // fires atomic-store=9~release
  atomic_store_explicit(&word, 10, memory_order_relaxed);  // fires atomic-store=10~relaxed
  atomic_load(&link);  // fires atomic-load/8=0 // site atomic-load flags=pointer
  atomic_store(&link, &object);  // fires atomic-store/8~seq_cst // site atomic-store flags=pointer
}

static void read_modify_writes(void) {
  atomic_fetch_add(&word, 5);  // fires rmw/4=10->15~seq_cst
  atomic_fetch_sub(&word, 20);  // fires rmw=15->-5
  atomic_fetch_or(&word, 1);  // fires rmw=-5->-5
  atomic_fetch_and(&word, 0xff);  // fires rmw=-5->251
  atomic_fetch_xor(&word, 0xf0);  // fires rmw=251->11
  atomic_exchange_explicit(&word, 4, memory_order_acq_rel);  // fires rmw=11->4~acq_rel
  atomic_fetch_add(&byte, 0x11);  // fires rmw/1=240->1
  __atomic_fetch_nand(&object, 6, __ATOMIC_RELAXED);  // fires rmw/4=0->-1~relaxed
  __atomic_fetch_max(&object, 3, __ATOMIC_SEQ_CST);  // fires rmw=-1->3
  __atomic_fetch_min(&object, -3, __ATOMIC_SEQ_CST);  // fires rmw=3->-3
  __sync_fetch_and_add(&object, 4);  // fires rmw=-3->1~seq_cst
}

static int compare_and_swaps(void) {
  int expected = 4;
  int first = atomic_compare_exchange_strong(&word, &expected, 8);  // fires cas/4=4->8~seq_cst
  int second = atomic_compare_exchange_strong(&word, &expected, 9);  // fires cas!8
  int third = __sync_bool_compare_and_swap(&object, 1, 12);  // fires cas=1->12
  return first && !second && third && expected == 8;
}

static void fences(void) {
  atomic_thread_fence(memory_order_seq_cst);  // fires fence~seq_cst
  atomic_thread_fence(memory_order_acquire);  // fires fence~acquire
  atomic_signal_fence(memory_order_release);  // fires fence~release // site fence flags=signal-fence
}

int main(void) {
  loads_and_stores();
  read_modify_writes();
  fences();
  return compare_and_swaps() ? 0 : 1;
}
