// Signals that are queued for the process while threads wait for them: they are
// taken in the order of their sending, lower numbers first, whoever takes them
// and whenever he began to wait.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "verify.h"

enum { kSignals = 12 };

static sigset_t set;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int taken;

static void* take_all(void* unused) {
  for (int i = 0; i < kSignals; ++i) {
    siginfo_t info;
    VERIFY(sigwaitinfo(&set, &info) == SIGRTMIN + 1);
    VERIFY(info.si_value.sival_int == i);
  }
  return unused;
}

// Each of two threads sees rising numbers, as each takes what comes first.
static void* take_some(void* unused) {
  int last = -1;
  for (;;) {
    siginfo_t info;
    pthread_mutex_lock(&lock);
    const int more = taken < kSignals && ++taken;
    pthread_mutex_unlock(&lock);
    if (!more) return unused;
    // The kernel ends the wait of one from whom another takes the signal.
    while (sigwaitinfo(&set, &info) != SIGRTMIN + 1) continue;
    VERIFY(info.si_value.sival_int > last);
    last = info.si_value.sival_int;
  }
}

static void send(int which, int value) {
  VERIFY(sigqueue(getpid(), SIGRTMIN + which,
                  (union sigval){.sival_int = value}) == 0);
}

int main(void) {
  pthread_t threads[2];
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN + 1);
  VERIFY(pthread_sigmask(SIG_BLOCK, &set, 0) == 0);
  pthread_create(&threads[0], 0, take_all, 0);
  for (int i = 0; i < kSignals; ++i) send(1, i);
  pthread_join(threads[0], 0);

  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, take_some, 0);
  for (int i = 0; i < kSignals; ++i) send(1, i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);

  sigset_t pending;
  VERIFY(sigpending(&pending) == 0);
  VERIFY(sigismember(&pending, SIGRTMIN + 1) == 0);
  return 0;
}
