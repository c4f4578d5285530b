// Writes more to a file than its own limit on the size of files allows.

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void) {
  const struct rlimit limit = {1, 1};
  const int fd = open("file", O_CREAT | O_WRONLY | O_TRUNC, 0600);
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
  for (int i = 0; i < 2; ++i) {
    if (write(fd, "x", 1) != 1) return 2;
  }
  return 0;
}
