// Record locks of open files between threads, of a process against its child,
// and whole-file locks.
// FLAGS: -O2

#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>

#include "want.h"

static char name[] = "/tmp/odd-locks-XXXXXX";
static int counter;

static struct flock on(short type, off_t from) {
  const struct flock lock = {
      .l_type = type, .l_whence = SEEK_SET, .l_start = from, .l_len = 10};
  return lock;
}

static void* by_record(void* unused) {
  const int fd = open(name, O_RDWR);
  for (int i = 0; i < 5; i++) {
    struct flock lock = on(F_WRLCK, 0);
    want(fcntl(fd, F_OFD_SETLKW, &lock) == 0);
    char text[16] = "";
    want(pread(fd, text, 8, 0) >= 0);
    snprintf(text, sizeof(text), "%07d", atoi(text) + 1);
    want(pwrite(fd, text, 7, 0) == 7);
    lock.l_type = F_UNLCK;
    want(fcntl(fd, F_OFD_SETLK, &lock) == 0);
  }
  close(fd);
  return unused;
}

static void* by_file(void* unused) {
  const int fd = open(name, O_RDONLY);
  for (int i = 0; i < 5; i++) {
    want(flock(fd, LOCK_EX) == 0);
    __atomic_store_n(&counter, __atomic_load_n(&counter, 0) + 1, 0);
    want(flock(fd, LOCK_UN) == 0);
  }
  close(fd);
  return unused;
}

int main(void) {
  const int fd = mkstemp(name);
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    threads[i] = start(i < 2 ? by_record : by_file, NULL);
  for (int i = 0; i < 4; i++) finish(threads[i]);
  struct flock lock = on(F_WRLCK, 20);
  want(fcntl(fd, F_SETLK, &lock) == 0);
  const pid_t child = fork();
  if (child == 0) {
    lock = on(F_RDLCK, 25);
    want(fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type == F_WRLCK);
    want(lock.l_start == 20 && lockf(fd, F_TLOCK, 5) == 0);
    _exit(fcntl(fd, F_SETLK, &lock) == -1 && errno == EAGAIN ? 7 : 8);
  }
  int status;
  want(waitpid(child, &status, 0) == child);
  char text[8] = "";
  want(pread(fd, text, 7, 0) == 7 && unlink(name) == 0);
  printf("%s %d child %d\n", text, counter, WEXITSTATUS(status));
  return 0;
}
