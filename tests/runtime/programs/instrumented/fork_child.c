// A child of an instrumented program goes on by itself: calls, accesses and
// returns of frames that were entered before the fork reach nobody.
//
// EXPECT: ended(0)
// REPEATS: replayed

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int counter;

static void count(int times) {
  if (times == 0) return;
  ++counter;
  count(times - 1);
}

int main(void) {
  int status = 0;
  const pid_t child = fork();
  if (child == 0) {
    count(5);
    _exit(counter == 5 ? 3 : 4);
  }
  if (waitpid(child, &status, 0) != child) return 1;
  return WIFEXITED(status) && WEXITSTATUS(status) == 3 ? 0 : 2;
}
