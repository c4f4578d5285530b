// Calls of sockets on what is none fail at once.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "verify.h"

#define REFUSED(call)                          \
  do {                                         \
    errno = 0;                                 \
    VERIFY((call) == -1 && errno == ENOTSOCK); \
  } while (0)

static void* use(void* unused) {
  int pipes[2];
  char byte = 0;
  struct iovec part = {&byte, 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  VERIFY(pipe(pipes) == 0);
  const int fds[] = {pipes[0], pipes[1], open("/dev/null", O_RDWR)};
  for (int i = 0; i < 3; ++i) {
    REFUSED(send(fds[i], &byte, 1, 0));
    REFUSED(sendmsg(fds[i], &message, 0));
    REFUSED(recv(fds[i], &byte, 1, 0));
    REFUSED(recvmsg(fds[i], &message, 0));
    REFUSED(accept(fds[i], 0, 0));
    close(fds[i]);
  }
  VERIFY(send(fds[0], &byte, 1, 0) == -1 && errno == EBADF);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, use, 0);
  pthread_join(thread, 0);
  use(0);
  return 0;
}
