// A loop that counts until its alarm goes off: time passes for it, though it
// never comes to a point.
//
// RUNS: --timeout 20

#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t over;

static void end(int signal) {
  (void)signal;
  over = 1;
}

int main(void) {
  unsigned long rounds = 0;
  signal(SIGALRM, end);
  alarm(1);
  while (!over) ++rounds;
  return rounds == 0;
}
