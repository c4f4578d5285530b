// abort() in a thread: the program's handler has its turn, then the process
// ends by SIGABRT all the same.
//
// EXPECT: signaled(6)
// TEXT:   main/1 got SIGABRT
// EVENTS: signal-delivered
// SEEDS:  4

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t handled;

static void handler(int number) {
  if (handled) _exit(2);
  handled = 1;
}

static void* end(void* unused) { abort(); }

int main(void) {
  signal(SIGABRT, handler);
  pthread_t thread;
  pthread_create(&thread, 0, end, 0);
  pthread_join(thread, 0);
  return 0;
}
