// POSIX asynchronous input and output, whose threads the library makes by
// itself; completion by polling, by suspending, and by a list.
// FLAGS: -O2

#define _GNU_SOURCE
#include <aio.h>

#include "want.h"

enum { kParts = 4, kSize = 1000 };

static int file;

static void* writes(void* number) {
  static char bytes[2][kSize];
  const long me = (long)number;
  memset(bytes[me], 'a' + (int)me, kSize);
  struct aiocb request = {.aio_fildes = file,
                          .aio_buf = bytes[me],
                          .aio_nbytes = kSize,
                          .aio_offset = me * kSize};
  want(aio_write(&request) == 0);
  const struct aiocb* list[] = {&request};
  while (aio_error(&request) == EINPROGRESS)
    want(aio_suspend(list, 1, NULL) == 0 || errno == EINTR);
  return (void*)(long)aio_return(&request);
}

int main(void) {
  char name[] = "/tmp/odd-aio-XXXXXX";
  file = mkstemp(name);
  want(file >= 0 && unlink(name) == 0);
  const pthread_t one = start(writes, (void*)0), two = start(writes, (void*)1);
  const long first = (long)finish(one), second = (long)finish(two);
  char parts[kParts][kSize / 2];
  struct aiocb reads[kParts];
  struct aiocb* list[kParts];
  memset(reads, 0, sizeof(reads));
  for (int i = 0; i < kParts; i++) {
    reads[i].aio_fildes = file;
    reads[i].aio_buf = parts[i];
    reads[i].aio_nbytes = kSize / 2;
    reads[i].aio_offset = i * kSize / 2;
    reads[i].aio_lio_opcode = LIO_READ;
    list[i] = &reads[i];
  }
  want(lio_listio(LIO_WAIT, list, kParts, NULL) == 0);
  printf("%ld %ld ", first, second);
  for (int i = 0; i < kParts; i++) {
    want(aio_return(&reads[i]) == kSize / 2);
    putchar(parts[i][0]);
    putchar(parts[i][kSize / 2 - 1]);
  }
  putchar('\n');
  return 0;
}
