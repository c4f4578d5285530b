// Starts a child, tells both process ids, and waits for a signal that nobody
// sends.

#include <stdio.h>
#include <unistd.h>

int main(void) {
  const pid_t child = fork();
  if (child == 0) {
    for (;;) pause();
  }
  printf("%d %d\n", (int)getpid(), (int)child);
  fflush(stdout);
  for (;;) pause();
}
