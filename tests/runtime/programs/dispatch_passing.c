// System calls that pass through the runtime have the effect and the result
// that they have without it: processes, signal masks, alternate stacks, errno,
// registers. SIGSYS stays open however the program masks signals.
//
// EXPECT: ended(0)
// PLAIN: 0
// REPEATS: replayed

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verify.h"

extern char** environ;
static volatile sig_atomic_t handled;
static char own_stack[64 << 10];

static void handle(int signal) {
  char here;
  handled = &here >= own_stack && &here < own_stack + sizeof(own_stack);
  getppid();
}

static void processes(void) {
  VERIFY(system("exit 3") == 3 << 8);
  FILE* out = popen("echo word", "r");
  char line[16] = "";
  VERIFY(fgets(line, sizeof(line), out) != NULL && strcmp(line, "word\n") == 0);
  VERIFY(pclose(out) == 0);
  int status = 0;
  pid_t child = vfork();
  if (child == 0) _exit(4);
  VERIFY(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 4);
  char* command[] = {"true", NULL};
  VERIFY(posix_spawnp(&child, "true", NULL, NULL, command, environ) == 0);
  VERIFY(waitpid(child, &status, 0) == child && status == 0);
}

static int begin(void* argument) { return *(int*)argument; }

static void plain_clone(void) {
  static char stack[64 << 10];
  int code = 5, status = 0;
  const pid_t child = clone(begin, stack + sizeof(stack), SIGCHLD, &code);
  VERIFY(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 5);
}

static void masks(void) {
  sigset_t all, old, now;
  sigfillset(&all);
  VERIFY(pthread_sigmask(SIG_SETMASK, &all, &old) == 0);
  VERIFY(getppid() > 0);  // a system call while everything is blocked
  VERIFY(pthread_sigmask(SIG_SETMASK, &old, &now) == 0);
  VERIFY(sigismember(&now, SIGUSR1) && !sigismember(&old, SIGUSR1));
}

static void alternate_stack(void) {
  stack_t stack = {.ss_sp = own_stack, .ss_size = sizeof(own_stack)};
  stack_t was = {0};
  VERIFY(sigaltstack(&stack, NULL) == 0);
  VERIFY(sigaltstack(NULL, &was) == 0 && was.ss_sp == own_stack);
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
  sigfillset(&action.sa_mask);
  VERIFY(sigaction(SIGUSR1, &action, NULL) == 0);
  VERIFY(raise(SIGUSR1) == 0 && handled);
}

static void results(void) {
  errno = 0;
  VERIFY(close(-1) == -1 && errno == EBADF);
  errno = 7;
  VERIFY(getppid() > 0 && errno == 7);
  long result, kept = 42;
  register long r15 __asm__("r15") = 15;
  __asm__ volatile("syscall"
                   : "=a"(result), "+r"(kept), "+r"(r15)
                   : "a"(SYS_getuid)
                   : "rcx", "r11", "memory");
  VERIFY(result == getuid() && kept == 42 && r15 == 15);
}

static void* all(void* argument) {
  results();
  masks();
  plain_clone();
  processes();
  return argument;
}

int main(void) {
  alternate_stack();
  all(NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, all, NULL);
  pthread_join(thread, NULL);
  return 0;
}
