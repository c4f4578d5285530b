// A thread waits for changes of a file that another one makes.
//
// EXPECT: ended(0)
// EVENTS: park unpark
// REPEATS: replayed
// SEEDS:  8
// PLAIN:  0

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "verify.h"

static char path[64];

static void* change(void* argument) {
  sched_yield();
  const int fd = open(path, O_WRONLY);
  VERIFY(fd >= 0 && write(fd, "x", 1) == 1);
  close(fd);
  return argument;
}

int main(void) {
  _Alignas(struct inotify_event) char room[512];
  snprintf(path, sizeof(path), "/tmp/fairlead-inotify-%d", (int)getpid());
  close(open(path, O_CREAT | O_WRONLY, 0600));
  const int notices = inotify_init1(IN_CLOEXEC);
  VERIFY(inotify_add_watch(notices, path, IN_MODIFY | IN_CLOSE_WRITE) >= 0);
  pthread_t thread;
  pthread_create(&thread, 0, change, 0);
  unsigned seen = 0;
  while ((seen & IN_CLOSE_WRITE) == 0) {
    const long bytes = read(notices, room, sizeof(room));
    VERIFY(bytes >= (long)sizeof(struct inotify_event));
    for (long at = 0; at < bytes;) {
      const struct inotify_event* event = (struct inotify_event*)(room + at);
      seen |= event->mask;
      at += (long)sizeof(*event) + event->len;
    }
  }
  VERIFY((seen & IN_MODIFY) != 0);
  pthread_join(thread, 0);
  unlink(path);
  return 0;
}
