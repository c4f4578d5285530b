// fork in a threaded program, by libc and by a system call: handlers of
// pthread_atfork run in order, signal masks and dispositions are the child's
// own, and it may do what it likes without control.
//
// EXPECT: ended(0)
// PLAIN:  0
// REPEATS: replayed

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verify.h"

static char order[8];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t handled;

static void prepare(void) {
  pthread_mutex_lock(&mutex);
  strcat(order, "p");
}
static void parent(void) {
  strcat(order, "u");
  pthread_mutex_unlock(&mutex);
}
static void child(void) {
  strcat(order, "c");
  pthread_mutex_unlock(&mutex);
}
static void handler(int number) { handled = 1; }

static void* in_child(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return malloc(100);
}

// What a child must be able to do.
static void live(int threads) {
  sigset_t now, usr2;
  sigprocmask(SIG_BLOCK, 0, &now);
  VERIFY(sigismember(&now, SIGUSR2) && !sigismember(&now, SIGUSR1));
  VERIFY(raise(SIGUSR1) == 0 && handled);
  handled = 0;
  sigemptyset(&usr2);
  sigaddset(&usr2, SIGUSR2);
  raise(SIGUSR2);
  VERIFY(!handled);
  sigprocmask(SIG_UNBLOCK, &usr2, 0);
  VERIFY(handled);
  for (int i = 0; i < 100; ++i) free(malloc(1 << (i % 16)));
  if (threads) {
    pthread_t thread;
    void* result;
    VERIFY(pthread_create(&thread, 0, in_child, 0) == 0);
    VERIFY(pthread_join(thread, &result) == 0 && result != 0);
  }
}

static void wait_for(pid_t pid) {
  int status;
  VERIFY(waitpid(pid, &status, 0) == pid && status == 0);
}

static void* forks(void* unused) {
  pid_t pid = fork();
  if (pid == 0) {
    VERIFY(strcmp(order, "pc") == 0);
    live(1);
    _exit(0);
  }
  VERIFY(pid > 0 && strcmp(order, "pu") == 0);
  wait_for(pid);
  pid = (pid_t)syscall(SYS_fork);
  if (pid == 0) {
    live(0);
    _exit(0);
  }
  wait_for(pid);
  return 0;
}

int main(void) {
  sigset_t usr2;
  sigemptyset(&usr2);
  sigaddset(&usr2, SIGUSR2);
  pthread_atfork(prepare, parent, child);
  signal(SIGUSR1, handler);
  signal(SIGUSR2, handler);
  pthread_sigmask(SIG_BLOCK, &usr2, 0);
  pthread_t thread;
  pthread_create(&thread, 0, forks, 0);
  pthread_join(thread, 0);
  return 0;
}
