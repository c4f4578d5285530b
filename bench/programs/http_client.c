// The client of http_server: four connections ask in turn, then one ends it.
//
//   http_client PORT REQUESTS      exits with 0 if all were answered

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { kConnections = 4, kTries = 20000 };

// Tries until the server listens.
static int connected(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((unsigned short)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  for (int i = 0; i < kTries; ++i) {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    const int yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
    if (connect(fd, (struct sockaddr*)&address, sizeof(address)) == 0) {
      return fd;
    }
    close(fd);
    usleep(500);
  }
  exit(2);
}

static void ask(int fd, const char* path) {
  char text[256];
  const int bytes =
      snprintf(text, sizeof(text), "GET %s HTTP/1.1\r\n\r\n", path);
  if (send(fd, text, (size_t)bytes, MSG_NOSIGNAL) != bytes) exit(1);
  // Answers are short: head and one line.
  size_t used = 0;
  for (;;) {
    const ssize_t got = recv(fd, text + used, sizeof(text) - 1 - used, 0);
    if (got <= 0) exit(1);
    used += (size_t)got;
    text[used] = '\0';
    const char* body = strstr(text, "\r\n\r\n");
    if (body != NULL && strchr(body + 4, '\n') != NULL) break;
  }
  if (strncmp(text, "HTTP/1.1 200", 12) != 0) exit(1);
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  int fds[kConnections];
  for (int i = 0; i < kConnections; ++i) fds[i] = connected(atoi(argv[1]));
  const int requests = atoi(argv[2]);
  for (int i = 0; i < requests; ++i) ask(fds[i % kConnections], "/add/1");
  ask(fds[0], "/quit");
  return 0;
}
