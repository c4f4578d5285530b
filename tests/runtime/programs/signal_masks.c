// Masks are per thread and inherited; a blocked signal stays pending, once, and
// comes when it is let through; a signal to the process goes to a thread that
// lets it through.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "verify.h"

static volatile sig_atomic_t usr1, usr2;
static pthread_t who;
static sigset_t in_handler;

static void on_usr1(int number) {
  ++usr1;
  who = pthread_self();
}

static void on_usr2(int number, siginfo_t* info, void* context) {
  VERIFY(number == SIGUSR2 && info->si_signo == SIGUSR2);
  VERIFY(info->si_pid == getpid());
  ++usr2;
  pthread_sigmask(SIG_BLOCK, 0, &in_handler);
}

static sigset_t only(int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  return set;
}

static void* open_one(void* unused) {
  sigset_t set = only(SIGUSR1), old, pending;
  pthread_sigmask(SIG_UNBLOCK, &set, &old);
  VERIFY(sigismember(&old, SIGUSR1) && !sigismember(&old, SIGUSR2));
  kill(getpid(), SIGUSR1);
  VERIFY(usr1 == 2 && pthread_equal(who, pthread_self()));
  return 0;
}

int main(void) {
  struct sigaction action = {.sa_handler = on_usr1};
  sigaction(SIGUSR1, &action, 0);
  action.sa_sigaction = on_usr2;
  action.sa_flags = SA_SIGINFO;
  action.sa_mask = only(SIGHUP);
  sigaction(SIGUSR2, &action, 0);

  VERIFY(raise(SIGUSR2) == 0);
  VERIFY(usr2 == 1);
  VERIFY(sigismember(&in_handler, SIGHUP) && sigismember(&in_handler, SIGUSR2));
  sigset_t now;
  sigprocmask(SIG_BLOCK, 0, &now);
  VERIFY(!sigismember(&now, SIGHUP) && !sigismember(&now, SIGUSR2));

  sigset_t set = only(SIGUSR1), pending;
  pthread_sigmask(SIG_BLOCK, &set, 0);
  raise(SIGUSR1);
  raise(SIGUSR1);
  VERIFY(usr1 == 0);
  sigpending(&pending);
  VERIFY(sigismember(&pending, SIGUSR1) && !sigismember(&pending, SIGUSR2));
  pthread_sigmask(SIG_UNBLOCK, &set, 0);
  VERIFY(usr1 == 1);
  pthread_sigmask(SIG_BLOCK, &set, 0);

  pthread_t thread;
  pthread_create(&thread, 0, open_one, 0);
  pthread_join(thread, 0);
  VERIFY(usr1 == 2);

  VERIFY(sigaction(SIGKILL, &action, 0) == -1);
  VERIFY(signal(SIGUSR1, SIG_IGN) == on_usr1);
  pthread_sigmask(SIG_UNBLOCK, &set, 0);
  raise(SIGUSR1);
  VERIFY(usr1 == 2);
  return 0;
}
