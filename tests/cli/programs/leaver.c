// Leaves a process behind that has a session of its own: leaver HOW FD, HOW is
// `child` or `daemon` (whose parent has ended). It holds FD open, writes a byte
// to it, and never ends by itself.
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static void stay(int fd) {
  setsid();
  if (write(fd, "x", 1) != 1) _exit(1);
  for (;;) pause();
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const int fd = atoi(argv[2]);
  int ready[2];
  char byte;
  if (pipe(ready) != 0) return 3;
  const pid_t child = fork();
  if (child == 0) {
    if (strcmp(argv[1], "daemon") == 0 && fork() != 0) _exit(0);
    close(ready[0]);
    if (write(ready[1], "r", 1) != 1) _exit(1);
    stay(fd);
  }
  // It is there before this one ends.
  if (read(ready[0], &byte, 1) != 1) return 4;
  return 0;
}
