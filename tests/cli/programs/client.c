// Two hits at once for the server on the socket that is the argument, then the
// question how many there were: exit code 1 unless both were counted.

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int Send(const char* path, char letter) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(fd, (struct sockaddr*)&address, sizeof(address)) != 0) return -1;
  return write(fd, &letter, 1) == 1 ? fd : -1;
}

static char Receive(int fd) {
  char answer = 0;
  if (fd < 0 || read(fd, &answer, 1) != 1) return 0;
  close(fd);
  return answer;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const int first = Send(argv[1], 'h');
  const int second = Send(argv[1], 'h');
  if (Receive(first) == 0 || Receive(second) == 0) return 3;
  const char hits = Receive(Send(argv[1], 'c'));
  printf("%c hits counted\n", hits);
  return hits == '2' ? 0 : 1;
}
