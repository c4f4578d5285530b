// A thread that computes and calls nothing: asynchronous cancellation ends it
// at one of its accesses.
//
// EXPECT: ended(0)

#include <pthread.h>

static int counter;
static int started;
static int cleaned;

static void clean(void* unused) {
  (void)unused;
  cleaned = 1;
}

static void* computes(void* unused) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
  pthread_cleanup_push(clean, 0);
  __atomic_store_n(&started, 1, __ATOMIC_SEQ_CST);
  for (;;) __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
  pthread_cleanup_pop(0);
  return unused;
}

int main(void) {
  pthread_t thread;
  void* result;
  pthread_create(&thread, 0, computes, 0);
  while (!__atomic_load_n(&started, __ATOMIC_SEQ_CST)) {
  }
  pthread_cancel(thread);
  pthread_join(thread, &result);
  return result == PTHREAD_CANCELED && cleaned ? 0 : 1;
}
