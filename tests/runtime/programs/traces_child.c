// A parent that traces its child, and asks to be traced itself: the first
// works, the second is granted and has no effect; both are counted.
//
// EXPECT: ended(0)
// PLAIN:  0
// UNCONTROLLED: ptrace 2
// REPEATS: replayed
// SEEDS:  4

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verify.h"

int main(void) {
  int status = 0;
  const pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    raise(SIGUSR1);
    _exit(7);
  }
  VERIFY(waitpid(child, &status, 0) == child);
  VERIFY(WIFSTOPPED(status) && WSTOPSIG(status) == SIGUSR1);
  VERIFY(ptrace(PTRACE_CONT, child, 0, 0) == 0);
  VERIFY(waitpid(child, &status, 0) == child);
  VERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  VERIFY(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0);
  return 0;
}
