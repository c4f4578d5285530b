// System calls with addresses at which there is nothing: EFAULT, as the kernel
// answers, and no crash.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "verify.h"

#define REFUSED(...)                                       \
  do {                                                     \
    errno = 0;                                             \
    VERIFY(syscall(__VA_ARGS__) == -1 && errno == EFAULT); \
  } while (0)

static long bad = 0x1000;

static void* call(void* unused) {
  sigset_t set;
  int timer;
  sigemptyset(&set);
  REFUSED(SYS_futex, bad, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
  int word = 0;
  REFUSED(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, bad, 0, 0);
  VERIFY(syscall(SYS_futex, bad, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0) == 0);
  REFUSED(SYS_nanosleep, bad, 0);
  REFUSED(SYS_nanosleep, 0, 0);
  REFUSED(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, bad, 0);
  REFUSED(SYS_clock_gettime, CLOCK_MONOTONIC, bad);
  REFUSED(SYS_rt_sigaction, SIGUSR1, bad, 0, 8);
  REFUSED(SYS_rt_sigprocmask, SIG_BLOCK, bad, 0, 8);
  REFUSED(SYS_rt_sigpending, bad, 8);
  REFUSED(SYS_rt_sigtimedwait, bad, 0, 0, 8);
  REFUSED(SYS_rt_sigtimedwait, &set, 0, bad, 8);
  REFUSED(SYS_poll, bad, 2, 0);
  REFUSED(SYS_timer_create, CLOCK_MONOTONIC, bad, &timer);
  REFUSED(SYS_setitimer, 0, bad, 0);
  REFUSED(SYS_select, 1, bad, 0, 0, 0);
  int null = open("/dev/null", O_RDWR), random = open("/dev/urandom", O_RDONLY);
  int pair[2];
  VERIFY(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
  struct msghdr message = {.msg_iov = (void*)bad, .msg_iovlen = 1};
  REFUSED(SYS_open, bad, O_RDONLY);
  REFUSED(SYS_openat, AT_FDCWD, bad, O_RDONLY);
  REFUSED(SYS_newfstatat, AT_FDCWD, bad, 0, AT_EMPTY_PATH);
  REFUSED(SYS_sendfile, null, null, bad, 10);
  REFUSED(SYS_sendmmsg, pair[0], bad, 2, 0);
  REFUSED(SYS_recvmmsg, pair[0], bad, 2, MSG_DONTWAIT, 0);
  REFUSED(SYS_sendmsg, pair[0], bad, 0);
  REFUSED(SYS_sendmsg, pair[0], &message, 0);
  REFUSED(SYS_read, random, bad, 10);
  REFUSED(SYS_getrandom, bad, 10, 0);
  VERIFY(nanosleep((struct timespec*)bad, 0) == -1 && errno == EFAULT);
  VERIFY(clock_nanosleep(CLOCK_MONOTONIC, 0, (struct timespec*)bad, 0) ==
         EFAULT);
  VERIFY(open((char*)bad, O_RDONLY) == -1 && errno == EFAULT);
  VERIFY(syscall(SYS_ppoll, 0, -1L, 0, 0) == -1 && errno == EINVAL);
  close(null);
  close(random);
  close(pair[0]);
  close(pair[1]);
  VERIFY(poll((struct pollfd*)bad, 1, 0) == -1 && errno == EFAULT);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, call, 0);
  call(0);
  pthread_join(thread, 0);
  return 0;
}
