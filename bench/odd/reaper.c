// A SIGCHLD handler reaps what there is; children end while threads make more.
// FLAGS: -O2

#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include "want.h"

enum { kThreads = 3, kEach = 2 };

static atomic_int reaped, codes;

static void on_child(int number) {
  (void)number;
  const int before = errno;
  int status;
  while (waitpid(-1, &status, WNOHANG) > 0) {
    if (WIFEXITED(status)) atomic_fetch_add(&codes, WEXITSTATUS(status));
    if (WIFSIGNALED(status)) atomic_fetch_add(&codes, 1000);
    atomic_fetch_add(&reaped, 1);
  }
  errno = before;
}

static void* maker(void* number) {
  for (int i = 0; i < kEach; i++) {
    const pid_t child = fork();
    want(child >= 0);
    if (child == 0) {
      if (i == 1 && (long)number == 2) raise(SIGKILL);
      _exit((int)(long)number * 10 + i);
    }
  }
  return NULL;
}

int main(void) {
  struct sigaction action = {.sa_handler = on_child, .sa_flags = SA_RESTART};
  want(sigaction(SIGCHLD, &action, NULL) == 0);
  sigset_t children, open;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  pthread_sigmask(SIG_BLOCK, &children, &open);
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; i++) threads[i] = start(maker, (void*)i);
  for (int i = 0; i < kThreads; i++) finish(threads[i]);
  while (atomic_load(&reaped) < kThreads * kEach) sigsuspend(&open);
  printf("reaped %d, codes %d\n", atomic_load(&reaped), atomic_load(&codes));
  want(waitpid(-1, NULL, 0) == -1 && errno == ECHILD);
  return 0;
}
