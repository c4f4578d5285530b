// A loop that counts until a signal of another process comes: it need not come
// to a point for that.
//
// RUNS: --timeout 20

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t over;

static void end(int signal) {
  (void)signal;
  over = 1;
}

int main(void) {
  unsigned long rounds = 0;
  signal(SIGUSR1, end);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    kill(parent, SIGUSR1);
    _exit(0);
  }
  while (!over) ++rounds;
  waitpid(child, 0, 0);
  return 0;
}
