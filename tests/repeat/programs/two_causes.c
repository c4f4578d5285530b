// Two causes that have nothing to do with each other: a lost update that an
// assertion sees, and a pointer that is null for a moment. What the one leaves
// in the outcome must not be taken for the other's.
//
// FINDS: assertion crash
// OPTIONS: --executions 300

#include <assert.h>
#include <pthread.h>

static int count;
static int taken_away;
static int spare;
static int* volatile place = &spare;

static void* takes_away(void* argument) {
  int seen = count;
  count = seen + 1;
  place = 0;
  taken_away = 1;
  place = &spare;
  return argument;
}

static void* uses(void* argument) {
  int seen = count;
  count = seen + 1;
  if (taken_away) *place = 5;
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, uses, 0);
  pthread_create(&threads[1], 0, takes_away, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  assert(count != 1);
  return 0;
}
