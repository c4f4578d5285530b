// system, popen, posix_spawn and waitpid in one thread while another one works:
// nobody waits for a child but who asked for it.
//
// EXPECT: ended(0)
// PLAIN:  0
// REPEATS: replayed
// SEEDS:  4

#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verify.h"

extern char** environ;
static int ends[2];

// The child ends only when the other thread has written.
static void* wait_for_child(void* unused) {
  char line[8] = "";
  int status;
  char command[64];
  snprintf(command, sizeof(command), "read x <&%d; exit 7", ends[0]);
  status = system(command);
  VERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  FILE* out = popen("echo $((6 * 7))", "r");
  VERIFY(fgets(line, sizeof(line), out) != 0 && strcmp(line, "42\n") == 0);
  VERIFY(pclose(out) == 0);
  char* argv[] = {"sh", "-c", "exit 9", 0};
  pid_t pid;
  VERIFY(posix_spawn(&pid, "/bin/sh", 0, 0, argv, environ) == 0);
  VERIFY(waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == 9);
  VERIFY(waitpid(-1, &status, 0) == -1 && errno == ECHILD);
  return 0;
}

static void* write_line(void* unused) {
  VERIFY(write(ends[1], "go\n", 3) == 3);
  return 0;
}

int main(void) {
  VERIFY(pipe(ends) == 0);
  pthread_t waiter, writer;
  pthread_create(&waiter, 0, wait_for_child, 0);
  pthread_create(&writer, 0, write_line, 0);
  pthread_join(waiter, 0);
  pthread_join(writer, 0);
  return 0;
}
