// Children are watched through pidfds in a poll, and waited for by waitid in
// several ways.
// FLAGS: -O2

#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "want.h"

static int ends[2];

static void* lets_go(void* unused) {
  want(write(ends[1], "abc", 3) == 3);
  return unused;
}

int main(void) {
  want(pipe(ends) == 0);
  struct pollfd watched[3];
  pid_t children[3];
  for (int i = 0; i < 3; i++) {
    children[i] = fork();
    want(children[i] >= 0);
    if (children[i] == 0) {
      char byte;
      _exit(read(ends[0], &byte, 1) == 1 ? 20 + i : 1);
    }
    watched[i].fd = (int)syscall(SYS_pidfd_open, children[i], 0);
    watched[i].events = POLLIN;
    want(watched[i].fd >= 0);
  }
  want(poll(watched, 3, 0) == 0);
  siginfo_t info;
  memset(&info, 0, sizeof(info));
  want(waitid(P_PID, (id_t)children[0], &info, WEXITED | WNOHANG) == 0);
  want(info.si_pid == 0);
  const pthread_t thread = start(lets_go, NULL);
  int sum = 0;
  for (int left = 3; left > 0;) {
    want(poll(watched, 3, -1) > 0);
    for (int i = 0; i < 3; i++) {
      if (watched[i].fd < 0 || !(watched[i].revents & POLLIN)) continue;
      want(waitid(P_PIDFD, (id_t)watched[i].fd, &info, WEXITED | WNOWAIT) == 0);
      want(waitid(P_PIDFD, (id_t)watched[i].fd, &info, WEXITED) == 0);
      want(info.si_pid == children[i] && info.si_code == CLD_EXITED);
      sum += info.si_status;
      close(watched[i].fd);
      watched[i].fd = -1;
      left--;
    }
  }
  finish(thread);
  printf("sum %d\n", sum);
  return 0;
}
