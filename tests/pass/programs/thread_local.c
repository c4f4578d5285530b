// Languages: c c++
//
// A thread-local variable is reached by an address that may be handed to other
// threads: it has sites like any other.

#include <pthread.h>

#ifdef __cplusplus
#define LOCAL thread_local
#else
#define LOCAL _Thread_local
#endif

LOCAL int mine = 3;

static void* other(void* unused) {
  mine += 10;  // fires load=3, store=13
  return unused;
}

int main(void) {
  mine++;  // fires load=3, store=4
  pthread_t thread;
  if (pthread_create(&thread, 0, other, 0) != 0) return 1;
  pthread_join(thread, 0);  // fires load
  return mine == 4 ? 0 : 1;  // fires load=4
}
