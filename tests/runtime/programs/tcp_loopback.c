// A server and two clients in one process, over loopback: connections, a
// message that does not fit the buffers, addresses, an orderly end.
//
// EXPECT: ended(0)
// EVENTS: open use
// PLAIN: 0
// REPEATS: replayed
// SEEDS: 8

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "verify.h"

enum { kBytes = 3 << 20 };
static struct sockaddr_in address = {.sin_family = AF_INET};

static void* ask(void* argument) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  VERIFY(connect(fd, (struct sockaddr*)&address, sizeof(address)) == 0);
  char* bytes = calloc(1, kBytes);
  VERIFY(send(fd, bytes, kBytes, 0) == kBytes);
  VERIFY(shutdown(fd, SHUT_WR) == 0);
  int answer = 0;
  VERIFY(recv(fd, &answer, sizeof(answer), MSG_WAITALL) == 4);
  VERIFY(answer == kBytes);
  VERIFY(recv(fd, &answer, sizeof(answer), 0) == 0);
  close(fd);
  free(bytes);
  return argument;
}

static void serve(int fd) {
  char room[65536];
  int total = 0;
  for (;;) {
    const ssize_t got = read(fd, room, sizeof(room));
    VERIFY(got >= 0);
    if (got == 0) break;
    total += (int)got;
  }
  VERIFY(write(fd, &total, sizeof(total)) == 4);
  close(fd);
}

int main(void) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  VERIFY(bind(listener, (struct sockaddr*)&address, sizeof(address)) == 0);
  socklen_t length = sizeof(address);
  VERIFY(getsockname(listener, (struct sockaddr*)&address, &length) == 0);
  VERIFY(address.sin_port != 0 && listen(listener, 5) == 0);
  pthread_t clients[2];
  for (int i = 0; i < 2; ++i) pthread_create(&clients[i], NULL, ask, NULL);
  for (int i = 0; i < 2; ++i) {
    struct sockaddr_in peer;
    length = sizeof(peer);
    const int fd = accept(listener, (struct sockaddr*)&peer, &length);
    VERIFY(fd >= 0 && peer.sin_family == AF_INET);
    serve(fd);
  }
  for (int i = 0; i < 2; ++i) pthread_join(clients[i], NULL);
  return 0;
}
