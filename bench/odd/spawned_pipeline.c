// posix_spawn with file actions and attributes, a vfork, popen and system, from
// two threads.
// FLAGS: -O2

#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include "want.h"

extern char** environ;

static void* through_cat(void* unused) {
  int in[2], out[2];
  want(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  char* arguments[] = {"tr", "a-z", "A-Z", NULL};
  pid_t child;
  want(posix_spawnp(&child, "tr", &actions, &attributes, arguments, environ) ==
       0);
  close(in[0]);
  close(out[1]);
  want(write(in[1], "through a child\n", 16) == 16);
  close(in[1]);
  static char answer[32];
  size_t used = 0;
  for (ssize_t got; (got = read(out[0], answer + used, 31 - used)) > 0;)
    used += (size_t)got;
  int status;
  want(waitpid(child, &status, 0) == child && status == 0);
  (void)unused;
  return answer;
}

static void* by_shell(void* unused) {
  static char line[64];
  FILE* stream = popen("echo $((6 * 7)); exit 3", "r");
  want(stream != NULL && fgets(line, sizeof(line), stream) != NULL);
  const int closed = WEXITSTATUS(pclose(stream));
  const int code = WEXITSTATUS(system("exit 5"));
  sprintf(line + strlen(line), "codes %d and %d\n", closed, code);
  (void)unused;
  return line;
}

int main(void) {
  const pthread_t one = start(through_cat, NULL), two = start(by_shell, NULL);
  const pid_t child = vfork();
  if (child == 0) _exit(execl("/bin/false", "false", NULL));
  int status;
  want(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 1);
  fputs(finish(one), stdout);
  fputs(finish(two), stdout);
  return 0;
}
