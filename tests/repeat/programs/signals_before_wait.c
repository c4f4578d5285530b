// When waitpid() has returned, the signal that the child sent before it ended,
// and the one that says that it has ended, have been delivered. A second
// thread, so that there is something to explore.
//
// RUNS:
// SEEDS: 12

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t sent, ended;

static void note(int signal) {
  if (signal == SIGUSR1) sent = 1;
  if (signal == SIGCHLD) ended = 1;
}

static void* idle(void* unused) { return unused; }

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, 0);
  sigaction(SIGCHLD, &action, 0);
  pthread_t other;
  pthread_create(&other, 0, idle, 0);
  pthread_join(other, 0);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    kill(parent, SIGUSR1);
    _exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  return sent && ended ? 0 : 3;
}
