// A thread that reads from an empty pipe lets the others run, and goes on when
// one of them has written; so does one that writes more than a pipe holds. The
// bytes come in order and whole.
//
// EXPECT: ended(0)
// EVENTS: park unpark open use close
// PLAIN: 0

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "verify.h"

enum { kBytes = 200000 };
static int fds[2];

static void* write_all(void* argument) {
  char* bytes = malloc(kBytes);
  for (int i = 0; i < kBytes; ++i) bytes[i] = (char)(i % 251);
  struct iovec parts[2] = {{bytes, 10}, {bytes + 10, 90}};
  VERIFY(writev(fds[1], parts, 2) == 100);
  VERIFY(write(fds[1], bytes + 100, kBytes - 100) == kBytes - 100);
  free(bytes);
  VERIFY(close(fds[1]) == 0);
  return argument;
}

int main(void) {
  pthread_t writer;
  VERIFY(pipe(fds) == 0);
  pthread_create(&writer, NULL, write_all, NULL);
  char* bytes = malloc(1 << 16);
  int total = 0;
  for (;;) {
    const ssize_t got = read(fds[0], bytes, 1 << 16);
    VERIFY(got >= 0);
    if (got == 0) break;
    for (ssize_t i = 0; i < got; ++i) {
      VERIFY(bytes[i] == (char)((total + i) % 251));
    }
    total += (int)got;
  }
  VERIFY(total == kBytes);
  free(bytes);
  pthread_join(writer, NULL);
  errno = 0;
  VERIFY(read(fds[1], &total, 1) == -1 && errno == EBADF);
  return 0;
}
