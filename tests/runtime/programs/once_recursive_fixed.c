// The twin of once_recursive: the routine calls what it needs directly.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int tables;

static void init_tables(void) { ++tables; }
static void init(void) { init_tables(); }

int main(void) {
  pthread_once(&control, init);
  pthread_once(&control, init);
  return tables - 1;
}
