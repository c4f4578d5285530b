// Writes 300,000 bytes to its standard output, which it does not let wait.

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

int main(void) {
  static char bytes[300000];
  for (int i = 0; i < (int)sizeof(bytes); ++i) bytes[i] = (char)('a' + i % 23);
  if (fcntl(1, F_SETFL, O_NONBLOCK) != 0) return 2;
  for (size_t done = 0; done < sizeof(bytes);) {
    const ssize_t put = write(1, bytes + done, sizeof(bytes) - done);
    if (put > 0) {
      done += (size_t)put;
      continue;
    }
    struct pollfd output = {.fd = 1, .events = POLLOUT};
    if (errno != EAGAIN || poll(&output, 1, -1) != 1) return 3;
  }
  return 0;
}
