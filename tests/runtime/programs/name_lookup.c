// getaddrinfo waits inside libc for a name server, which is another thread of
// the same program.
//
// EXPECT: ended(0)
// EVENTS: park unpark
// REPEATS: replayed
// SEEDS:  8

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <resolv.h>
#include <string.h>
#include <sys/socket.h>

#include "verify.h"

static int server;

// Answers each question with 192.0.2.7.
static void* serve(void* argument) {
  for (int i = 0; i < 1; ++i) {
    unsigned char packet[512];
    struct sockaddr_in from;
    socklen_t bytes = sizeof(from);
    const long got = recvfrom(server, packet, sizeof(packet), 0,
                              (struct sockaddr*)&from, &bytes);
    VERIFY(got > 12);
    static const unsigned char answer[] = {0xc0, 0x0c, 0, 1, 0,   1, 0, 0,
                                           0,    60,   0, 4, 192, 0, 2, 7};
    packet[2] = 0x81;  // a response,
    packet[3] = 0x80;  // without an error,
    packet[7] = 1;     // with one answer,
    packet[9] = packet[11] = 0;
    memcpy(packet + got, answer, sizeof(answer));
    sendto(server, packet, (size_t)got + sizeof(answer), 0,
           (struct sockaddr*)&from, bytes);
  }
  return argument;
}

int main(void) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t bytes = sizeof(address);
  server = socket(AF_INET, SOCK_DGRAM, 0);
  VERIFY(bind(server, (struct sockaddr*)&address, bytes) == 0);
  VERIFY(getsockname(server, (struct sockaddr*)&address, &bytes) == 0);
  pthread_t thread;
  pthread_create(&thread, 0, serve, 0);
  VERIFY(res_init() == 0);
  _res.nscount = 1;
  _res.nsaddr_list[0] = address;
  _res.options &= ~(unsigned long)(RES_DNSRCH | RES_DEFNAMES);
  struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
  struct addrinfo* found = 0;
  VERIFY(getaddrinfo("fairlead.example.", "80", &hints, &found) == 0);
  const struct sockaddr_in* to = (struct sockaddr_in*)found->ai_addr;
  VERIFY(to->sin_addr.s_addr == htonl(0xc0000207));
  freeaddrinfo(found);
  VERIFY(getaddrinfo("127.0.0.1", "80", &hints, &found) == 0);
  freeaddrinfo(found);
  pthread_join(thread, 0);
  return 0;
}
