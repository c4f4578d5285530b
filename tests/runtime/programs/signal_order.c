// Several signals that become due at once: what was sent to the thread comes
// before what was sent to the process, lower numbers before higher ones, queued
// ones in their order. Each interrupts the handler of the one before at its
// first instruction, unless that blocks it.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "verify.h"

static char seen[256];

static void note(int number, siginfo_t* info, void* unused) {
  char text[16];
  snprintf(text, sizeof(text), "%d%c ", number - SIGRTMIN,
           info->si_value.sival_int);
  strcat(seen, text);
}

static sigset_t all;

static void install(int blocks_others) {
  struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};
  if (blocks_others) action.sa_mask = all;
  for (int i = 0; i < 4; ++i) sigaction(SIGRTMIN + i, &action, 0);
}

static void send(int which, char mark, int to_process) {
  union sigval value = {.sival_int = mark};
  if (to_process) {
    VERIFY(sigqueue(getpid(), SIGRTMIN + which, value) == 0);
  } else {
    VERIFY(pthread_sigqueue(pthread_self(), SIGRTMIN + which, value) == 0);
  }
}

static void send_all(void) {
  for (char mark = 'a'; mark <= 'b'; ++mark) {
    for (int i = 2; i >= 0; --i) send(i, mark, 0);
  }
  send(0, 'p', 1);
  send(3, 'p', 1);
}

int main(void) {
  sigset_t before;
  sigfillset(&all);
  VERIFY(pthread_sigmask(SIG_BLOCK, &all, &before) == 0);
  install(0);
  send_all();
  pthread_sigmask(SIG_SETMASK, &before, 0);
  VERIFY(strcmp(seen, "3p 2a 2b 1a 1b 0a 0b 0p ") == 0);
  seen[0] = 0;

  pthread_sigmask(SIG_BLOCK, &all, 0);
  install(1);
  send_all();
  pthread_sigmask(SIG_SETMASK, &before, 0);
  VERIFY(strcmp(seen, "0a 0b 1a 1b 2a 2b 0p 3p ") == 0);

  pthread_sigmask(SIG_BLOCK, &all, 0);
  send(0, 'p', 1);
  send(2, 't', 0);
  send(1, 't', 0);
  siginfo_t info;
  VERIFY(sigwaitinfo(&all, &info) == SIGRTMIN + 1);
  VERIFY(sigwaitinfo(&all, &info) == SIGRTMIN + 2);
  VERIFY(sigwaitinfo(&all, &info) == SIGRTMIN);
  return 0;
}
