// Uses annotations that have no effect yet, and a request, by which it is
// judged.

#include <fairlead/fairlead.h>
#include <pthread.h>

static void* Serve(void* unused) {
  static int both[2];
  fairlead_atomic_set_add("both", both, sizeof both);
  fairlead_request_begin(1, 1, "get", 3);
  fairlead_request_end(1, 1, "1", 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, Serve, NULL);
  pthread_join(thread, NULL);
  return 0;
}
