// abort() is left by a jump out of its handler; children that really abort,
// fault or end by signals say so to their parent.
// FLAGS: -O2

#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>

#include "want.h"

static sigjmp_buf back;

static void on_abort(int number) {
  (void)number;
  siglongjmp(back, 1);
}

static void* aborts(void* unused) {
  if (sigsetjmp(back, 1) == 0) abort();
  return unused;
}

static void end(int how) {
  signal(SIGABRT, SIG_DFL);
  volatile int* nowhere = NULL;
  if (how == 0) abort();
  if (how == 1) *nowhere = 1;
  if (how == 2) raise(SIGTERM);
  if (how == 3) __builtin_trap();
  exit(how);
}

int main(void) {
  want(signal(SIGABRT, on_abort) != SIG_ERR);
  finish(start(aborts, NULL));
  finish(start(aborts, NULL));
  printf("outlived it twice;");
  for (int how = 0; how < 6; how++) {
    fflush(stdout);
    const pid_t child = fork();
    want(child >= 0);
    if (child == 0) end(how);
    int status;
    want(waitpid(child, &status, 0) == child);
    if (WIFSIGNALED(status)) printf(" signal %d", WTERMSIG(status));
    if (WIFEXITED(status)) printf(" code %d", WEXITSTATUS(status));
  }
  putchar('\n');
  return 0;
}
