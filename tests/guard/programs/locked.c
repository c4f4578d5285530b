// The same with a lock around each access: who could end the stall needs the
// lock under which it happens.
#include "handshake.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static atomic_int first_has_read;

static int get(void) {
  pthread_mutex_lock(&lock);
  const int value = count;
  pthread_mutex_unlock(&lock);
  return value;
}

static void set(int value) {
  pthread_mutex_lock(&lock);
  count = value;
  pthread_mutex_unlock(&lock);
}

static void* first(void* unused) {
  (void)unused;
  const int before = get();
  atomic_store(&first_has_read, 1);
  wait_for_early();
  set(before + 1);
  return NULL;
}

static void* second(void* unused) {
  (void)unused;
  while (is_bad && atomic_load(&first_has_read) == 0) sched_yield();
  i_am_early();
  set(get() + 1);
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[2];
  const int bad = read_way(argc, argv);
  pthread_create(&threads[0], NULL, first, NULL);
  if (!bad) pthread_join(threads[0], NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  if (bad) pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return count != 2;
}
