// A lost update that an assertion sees, and two locks in two orders.
//
// FINDS: assertion deadlock
// OPTIONS: --executions 200

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void both(pthread_mutex_t* first, pthread_mutex_t* second) {
  int seen = count;
  count = seen + 1;
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void* one_way(void* argument) {
  pthread_setname_np(pthread_self(), "one way");
  both(&left, &right);
  return argument;
}

static void* other_way(void* argument) {
  pthread_setname_np(pthread_self(), "other way");
  both(&right, &left);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, one_way, 0);
  pthread_create(&threads[1], 0, other_way, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  assert(count == 2);
  return 0;
}
