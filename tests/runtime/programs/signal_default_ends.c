// A signal whose default action is to end the process, sent by one of its own
// threads: the verdict names the signal and who got it.
//
// EXPECT: signaled(15)
// TEXT:   SIGTERM
// SEEDS:  4

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void* end(void* unused) {
  kill(getpid(), SIGTERM);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, end, 0);
  pthread_join(thread, 0);
  return 0;
}
