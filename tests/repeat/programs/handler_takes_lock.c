// The handler of a timer takes a lock that the thread which it interrupts may
// hold.
//
// FINDS: deadlock
// OPTIONS: --executions 100
// SEEDS: 3

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int worked, went_off;

static void tick(int signal) {
  (void)signal;
  pthread_mutex_lock(&mutex);
  ++went_off;
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_handler = tick;
  sigaction(SIGALRM, &action, 0);
  struct itimerval every = {.it_interval = {0, 1000}, .it_value = {0, 1000}};
  setitimer(ITIMER_REAL, &every, 0);
  for (int i = 0; i < 100; ++i) {
    pthread_mutex_lock(&mutex);
    ++worked;
    pthread_mutex_unlock(&mutex);
  }
  memset(&every, 0, sizeof(every));
  setitimer(ITIMER_REAL, &every, 0);
  return 0;
}
