// A directory is watched by inotify while threads rename, link and remove.
// FLAGS: -O2

#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#include "want.h"

static char directory[] = "/tmp/odd-watch-XXXXXX";

static void path(char* to, const char* name) {
  snprintf(to, 64, "%s/%s", directory, name);
}

static void* changes(void* name) {
  char from[64], to[64], other[64];
  path(from, name);
  snprintf(to, sizeof(to), "%s.new", from);
  snprintf(other, sizeof(other), "%s.link", from);
  const int fd = open(from, O_CREAT | O_EXCL | O_WRONLY, 0600);
  want(fd >= 0 && write(fd, name, 1) == 1 && close(fd) == 0);
  want(rename(from, to) == 0 && link(to, other) == 0);
  want(unlink(to) == 0 && unlink(other) == 0);
  return NULL;
}

int main(void) {
  want(mkdtemp(directory) != NULL);
  const int watch = inotify_init1(IN_CLOEXEC);
  const uint32_t wanted = IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_FROM |
                          IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF;
  want(inotify_add_watch(watch, directory, wanted) >= 0);
  const pthread_t one = start(changes, "a"), two = start(changes, "b");
  int counts[2][6] = {{0}}, of_self = 0;
  int total = 0;
  while (total < 2 * 7) {
    _Alignas(struct inotify_event) char room[4096];
    const ssize_t got = read(watch, room, sizeof(room));
    want(got > 0);
    for (ssize_t at = 0; at < got; total++) {
      const struct inotify_event* event = (void*)(room + at);
      int* mine = counts[event->name[0] - 'a'];
      const uint32_t kinds[] = {IN_CREATE, IN_CLOSE_WRITE, IN_MOVED_FROM,
                                IN_MOVED_TO, IN_DELETE};
      for (int i = 0; i < 5; i++) mine[i] += (event->mask & kinds[i]) != 0;
      at += (ssize_t)(sizeof(*event) + event->len);
    }
  }
  finish(one);
  finish(two);
  want(rmdir(directory) == 0);
  struct inotify_event last;
  while (!of_self && read(watch, &last, sizeof(last)) == sizeof(last))
    of_self = (last.mask & IN_DELETE_SELF) != 0;
  for (int i = 0; i < 5; i++) printf("%d%d ", counts[0][i], counts[1][i]);
  printf("itself %d\n", of_self);
  return 0;
}
