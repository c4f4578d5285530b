// Bytes go through splice, tee, sendfile and copy_file_range; the pipe is
// smaller than what it carries.
// FLAGS: -O2

#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/sendfile.h>

#include "want.h"

enum { kSize = 100000 };

static int through[2], copied[2], source, target;

static int scratch(void) {
  char name[] = "/tmp/odd-splice-XXXXXX";
  const int fd = mkstemp(name);
  want(fd >= 0 && unlink(name) == 0);
  return fd;
}

static void* feed(void* unused) {
  loff_t at = 0;
  while (at < kSize) want(splice(source, &at, through[1], NULL, 8192, 0) > 0);
  close(through[1]);
  return unused;
}

static void* duplicate(void* unused) {
  // What is teed to one pipe is taken from the other into a file.
  ssize_t got;
  while ((got = tee(through[0], copied[1], 4096, 0)) > 0)
    for (ssize_t left = got; left > 0;) {
      const ssize_t moved =
          splice(through[0], NULL, target, NULL, (size_t)left, 0);
      want(moved > 0);
      left -= moved;
    }
  want(got == 0);
  close(copied[1]);
  return unused;
}

int main(void) {
  source = scratch();
  target = scratch();
  const int third = scratch();
  static char bytes[kSize], check[kSize + 1];
  for (int i = 0; i < kSize; i++) bytes[i] = (char)(i * i / 7);
  want(write(source, bytes, kSize) == kSize);
  want(pipe(through) == 0 && pipe(copied) == 0);
  want(fcntl(through[1], F_SETPIPE_SZ, 4096) == 4096);
  const pthread_t one = start(feed, NULL), two = start(duplicate, NULL);
  size_t used = 0;
  for (ssize_t got = 1; got > 0; used += (size_t)got) {
    const size_t room = sizeof(check) - used;
    got = read(copied[0], check + used, room < 3000 ? room : 3000);
    want(got >= 0);
  }
  finish(one);
  finish(two);
  want(used == kSize && memcmp(bytes, check, kSize) == 0);
  want(pread(target, check, kSize + 1, 0) == kSize);
  want(memcmp(bytes, check, kSize) == 0);
  off_t from = 500;
  want(sendfile(third, source, &from, 1000) == 1000 && from == 1500);
  want(copy_file_range(target, &from, third, NULL, 1000, 0) == 1000);
  want(pread(third, check, 2000, 0) == 2000);
  want(memcmp(check, bytes + 500, 2000) == 0);
  printf("%zu bytes, all equal\n", used);
  return 0;
}
