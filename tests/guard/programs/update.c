// R-W | R-W: two threads count up.
#include "handshake.h"

static int count;
static atomic_int first_has_read;

static void* first(void* unused) {
  (void)unused;
  const int before = count;
  atomic_store(&first_has_read, 1);
  wait_for_early();
  count = before + 1;
  return NULL;
}

static void* second(void* unused) {
  (void)unused;
  while (is_bad && atomic_load(&first_has_read) == 0) sched_yield();
  i_am_early();
  const int before = count;
  count = before + 1;
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
