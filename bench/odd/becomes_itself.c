// A thread makes the process become itself again, twice; some descriptors and
// signal dispositions go along.
// FLAGS: -O2
// UNKNOWN: became another program

#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>

#include "want.h"

static char** arguments;
static int kept, lost;

static void* again(void* unused) {
  char generation[12], first[12], second[12];
  sprintf(generation, "%d", atoi(arguments[1]) + 1);
  sprintf(first, "%d", kept);
  sprintf(second, "%d", lost);
  want(setenv("ODD_GENERATION", generation, 1) == 0);
  signal(SIGUSR1, SIG_IGN);
  execl("/proc/self/exe", arguments[0], generation, first, second, NULL);
  return unused;
}

static void* idle(void* unused) {
  pause();
  return unused;
}

int main(int count, char** given) {
  char* first[] = {given[0], "0", NULL};
  arguments = count == 1 ? first : given;
  if (count == 4) {
    char text[8] = "";
    kept = atoi(given[2]);
    want(lseek(kept, 0, SEEK_SET) == 0 && read(kept, text, 7) == 4);
    want(fcntl(atoi(given[3]), F_GETFD) == -1 && errno == EBADF);
    want(signal(SIGUSR1, SIG_IGN) == SIG_IGN);
    printf("generation %s (%s) reads %s\n", given[1], getenv("ODD_GENERATION"),
           text);
    fflush(stdout);
    if (atoi(given[1]) == 2) return 0;
  } else {
    char name[] = "/tmp/odd-exec-XXXXXX";
    kept = mkstemp(name);
    want(kept >= 0 && unlink(name) == 0 && write(kept, "kept", 4) == 4);
  }
  lost = open("/dev/null", O_RDONLY | O_CLOEXEC);
  start(idle, NULL);
  finish(start(again, NULL));
  return 1;
}
