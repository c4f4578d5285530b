// flock, and locks of open file descriptions: who has to wait for one lets the
// others go on, among them the one who has it.
//
// EXPECT: ended(0)
// EVENTS: use
// PLAIN:  0

#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "verify.h"

static char path[32];  // of a file without a name
static int inside[2], entered;

static void enter_and_leave(int which) {
  VERIFY(inside[which]++ == 0);
  for (int i = 0; i < 3; ++i) sched_yield();
  VERIFY(--inside[which] == 0);
  __atomic_add_fetch(&entered, 1, __ATOMIC_SEQ_CST);
}

static void* work(void* unused) {
  const int file = open(path, O_RDWR | O_CLOEXEC);
  VERIFY(file >= 0);
  VERIFY(flock(file, LOCK_EX) == 0);
  enter_and_leave(0);
  VERIFY(flock(file, LOCK_UN) == 0);
  struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  VERIFY(fcntl(file, F_OFD_SETLKW, &all) == 0);
  enter_and_leave(1);
  all.l_type = F_UNLCK;
  VERIFY(fcntl(file, F_OFD_SETLK, &all) == 0);
  close(file);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  const int file = memfd_create("locked", 0);
  VERIFY(file >= 0);
  snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, 0);
  work(0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  VERIFY(entered == 6);
  return 0;
}
