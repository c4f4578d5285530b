// Without syscall user dispatch, libc's own functions are still caught: a
// thread that waits in one of them lets the others run.
//
// EXPECT: ended(0)
// FLAGS: no-dispatch
// EVENTS: park unpark
// PLAIN: 0

#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "verify.h"

static int fds[2], pair[2];

static void* answer(void* argument) {
  char byte = 0;
  VERIFY(read(fds[0], &byte, 1) == 1);
  VERIFY(send(pair[1], &byte, 1, 0) == 1);
  return argument;
}

int main(void) {
  pthread_t thread;
  VERIFY(pipe(fds) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  pthread_create(&thread, NULL, answer, NULL);
  char byte = 7;
  VERIFY(write(fds[1], &byte, 1) == 1);
  struct pollfd one = {.fd = pair[0], .events = POLLIN};
  VERIFY(poll(&one, 1, -1) == 1);
  VERIFY(recv(pair[0], &byte, 1, 0) == 1 && byte == 7);
  pthread_join(thread, NULL);
  return 0;
}
