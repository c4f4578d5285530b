// Opening a FIFO waits for its other end, and lets the others run meanwhile.
//
// EXPECT: ended(0)
// EVENTS: park unpark
// REPEATS: replayed
// SEEDS:  8
// PLAIN:  0

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "verify.h"

static char path[64];

static void* write_a_byte(void* argument) {
  for (int i = 0; i < 3; ++i) sched_yield();
  const int fd = open(path, O_WRONLY);
  VERIFY(fd >= 0 && (fcntl(fd, F_GETFL) & O_NONBLOCK) == 0);
  VERIFY(write(fd, "x", 1) == 1);
  close(fd);
  return argument;
}

static void* read_a_byte(void* argument) {
  char byte = 0;
  const int fd = open(path, O_RDONLY);
  VERIFY(fd >= 0 && (fcntl(fd, F_GETFL) & O_NONBLOCK) == 0);
  VERIFY(read(fd, &byte, 1) == 1 && byte == 'x');
  VERIFY(read(fd, &byte, 1) == 0);
  close(fd);
  return argument;
}

int main(void) {
  snprintf(path, sizeof(path), "/tmp/fairlead-fifo-%d", (int)getpid());
  unlink(path);
  VERIFY(mkfifo(path, 0600) == 0);
  pthread_t threads[2];
  pthread_create(&threads[0], 0, read_a_byte, 0);
  pthread_create(&threads[1], 0, write_a_byte, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  unlink(path);
  return 0;
}
