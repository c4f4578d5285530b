// splice, tee, vmsplice and sendfile wait for the other threads as reading and
// writing do: the pipes hold less than what goes through them.
//
// EXPECT: ended(0)
// EVENTS: use
// PLAIN:  0

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "verify.h"

enum { kBytes = 20000 };

static int file, first[2], second[2], third[2], sockets[2];
static char bytes[kBytes];

static void* feed(void* unused) {
  long done = 0;
  while (done < kBytes / 2) {
    const struct iovec rest = {bytes + done, kBytes / 2 - (size_t)done};
    const ssize_t result = vmsplice(first[1], &rest, 1, 0);
    VERIFY(result > 0);
    done += result;
  }
  loff_t at = kBytes / 2;
  while (at < kBytes) VERIFY(splice(file, &at, first[1], 0, 4096, 0) > 0);
  close(first[1]);
  return 0;
}

static void* copy(void* unused) {
  ssize_t copied;
  while ((copied = tee(first[0], second[1], 2048, 0)) > 0) {
    while (copied > 0) {
      const ssize_t moved = splice(first[0], 0, third[1], 0, (size_t)copied, 0);
      VERIFY(moved > 0);
      copied -= moved;
    }
  }
  VERIFY(copied == 0);
  close(second[1]);
  close(third[1]);
  off_t at = 0;
  VERIFY(sendfile(sockets[0], file, &at, kBytes) == kBytes && at == kBytes);
  shutdown(sockets[0], SHUT_WR);
  return 0;
}

static void* drain(void* fd) {
  static char all[2][kBytes + 1];
  char* mine = all[*(int*)fd == second[0]];
  size_t used = 0;
  for (ssize_t got;
       (got = read(*(int*)fd, mine + used, kBytes + 1 - used)) > 0;) {
    used += (size_t)got;
  }
  VERIFY(used == kBytes && memcmp(mine, bytes, kBytes) == 0);
  return 0;
}

int main(void) {
  for (int i = 0; i < kBytes; ++i) bytes[i] = (char)(i / 3);
  file = memfd_create("bytes", 0);
  VERIFY(write(file, bytes, kBytes) == kBytes);
  VERIFY(pipe(first) == 0 && pipe(second) == 0 && pipe(third) == 0);
  VERIFY(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
  int* pipes[] = {first, second, third};
  for (int i = 0; i < 3; ++i) {
    VERIFY(fcntl(pipes[i][1], F_SETPIPE_SZ, 4096) == 4096);
  }
  VERIFY(splice(first[0], 0, third[1], 0, 1, SPLICE_F_NONBLOCK) == -1);
  pthread_t threads[3];
  pthread_create(&threads[0], 0, feed, 0);
  pthread_create(&threads[1], 0, copy, 0);
  pthread_create(&threads[2], 0, drain, &second[0]);
  drain(&third[0]);
  pthread_join(threads[2], 0);
  drain(&sockets[1]);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
