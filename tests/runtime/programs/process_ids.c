// Process ids are inputs: what a program does because of them, it does again
// when it follows its schedule, and they still name its children.
//
// EXPECT: ended(0)
// REPEATS: replayed
// PLAIN:  0

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verify.h"

static pid_t start(int code) {
  const pid_t child = fork();
  if (child != 0) return child;
  if (code == 0) pause();
  _exit(code);
}

// How often others get a turn depends on who we are.
static void* yield_by(void* argument) {
  for (long i = 0; i < (long)argument % 13; ++i) sched_yield();
  return 0;
}

int main(void) {
  VERIFY(getpid() == gettid() && getpid() == syscall(SYS_getpid));
  VERIFY(getppid() > 0 && getpgid(getpid()) == getpgrp());
  pthread_t threads[2];
  const pid_t first = start(3), second = start(4), third = start(0);
  pthread_create(&threads[0], 0, yield_by, (void*)(long)getpid());
  pthread_create(&threads[1], 0, yield_by, (void*)(long)first);
  // Whichever ends first.
  int status = 0, seen = 0;
  for (int i = 0; i < 2; ++i) {
    const pid_t ended = wait(&status);
    VERIFY(ended == first || ended == second);
    VERIFY(WEXITSTATUS(status) == (ended == first ? 3 : 4));
    yield_by((void*)(long)(ended == first ? 5 : 2));
    seen += WEXITSTATUS(status);
  }
  VERIFY(seen == 7);
  VERIFY(waitpid(third, &status, WNOHANG) == 0);
  VERIFY(kill(third, 0) == 0 && kill(third, SIGTERM) == 0);
  siginfo_t info = {0};
  VERIFY(waitid(P_PID, third, &info, WEXITED) == 0);
  VERIFY(info.si_pid == third && info.si_status == SIGTERM);
  VERIFY(kill(third, 0) == -1 && errno == ESRCH);
  VERIFY(wait(&status) == -1 && errno == ECHILD);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
