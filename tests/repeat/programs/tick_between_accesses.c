// One thread, and a timer whose handler changes what it interrupts the update
// of: the handler comes between the load and the store.
//
// FINDS: assertion
// OPTIONS: --executions 200
// SEEDS: 3

#include <assert.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

static volatile int count, ticks;

static void tick(int signal) {
  (void)signal;
  ++count;
  ++ticks;
}

static void add(void) {
#ifdef FIXED
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  sigprocmask(SIG_BLOCK, &set, &before);
#endif
  ++count;
#ifdef FIXED
  sigprocmask(SIG_SETMASK, &before, 0);
#endif
}

static void set_timer(int microseconds) {
  const struct itimerval every = {.it_interval = {0, microseconds},
                                  .it_value = {0, microseconds}};
  setitimer(ITIMER_REAL, &every, 0);
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_handler = tick;
  sigaction(SIGALRM, &action, 0);
  int added = 0;
  set_timer(1000);
  for (; added < 20; ++added) add();
  set_timer(0);
  assert(count == added + ticks);
  return 0;
}
