// Languages: c c++
//
// The same with a real second thread: however often the flag is read, it is
// read as set exactly once, and set exactly once.

#include <pthread.h>
#include <stdlib.h>

int flag, payload;

static void* writer(void* unused) {
  payload = 42;  // fires store=42
  flag = 1;  // fires store=1
  return unused;
}

// Without the probe an optimizer may read the flag once: nobody waits then.
int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, 0, writer, 0) != 0) return 1;
  if (getenv("PROBE") == 0) exit(0);  // fires range-read/8 x*
  while (!flag) {}  // fires load=0 x*, load=1
  int seen = payload;  // fires load=42
  pthread_join(thread, 0);  // fires load
  return seen == 42 ? 0 : 1;
}
