// Unix datagrams in batches with senders' credentials, peeked at, and a limit
// of time on the socket.
// FLAGS: -O2

#define _GNU_SOURCE
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include "want.h"

enum { kSenders = 2, kEach = 6 };

static struct sockaddr_un here = {.sun_family = AF_UNIX};
static socklen_t size;

static void* sender(void* number) {
  const int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
  want(connect(fd, (struct sockaddr*)&here, size) == 0);
  struct mmsghdr batch[kEach];
  struct iovec parts[kEach];
  char texts[kEach][8];
  memset(batch, 0, sizeof(batch));
  for (int i = 0; i < kEach; i++) {
    parts[i].iov_base = texts[i];
    parts[i].iov_len = (size_t)sprintf(texts[i], "%ld-%d", (long)number, i);
    batch[i].msg_hdr.msg_iov = &parts[i];
    batch[i].msg_hdr.msg_iovlen = 1;
  }
  for (int sent = 0; sent < kEach;) {
    const int more = sendmmsg(fd, batch + sent, (unsigned)(kEach - sent), 0);
    want(more > 0);
    sent += more;
  }
  close(fd);
  return NULL;
}

int main(void) {
  const int fd = socket(AF_UNIX, SOCK_DGRAM, 0), yes = 1;
  size = (socklen_t)sizeof(sa_family_t);  // The kernel gives it a name.
  want(bind(fd, (struct sockaddr*)&here, size) == 0);
  size = sizeof(here);
  want(getsockname(fd, (struct sockaddr*)&here, &size) == 0);
  want(setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &yes, sizeof(yes)) == 0);
  pthread_t threads[kSenders];
  for (long i = 0; i < kSenders; i++) threads[i] = start(sender, (void*)i);
  int next[kSenders] = {0}, from_us = 0;
  for (int i = 0; i < kSenders * kEach; i++) {
    char text[8] = "", peeked[8] = "", room[CMSG_SPACE(sizeof(struct ucred))];
    struct iovec part = {text, sizeof(text)};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = room,
                             .msg_controllen = sizeof(room)};
    want(recv(fd, peeked, sizeof(peeked), MSG_PEEK) > 0);
    want(recvmsg(fd, &message, 0) > 0 && strcmp(text, peeked) == 0);
    struct ucred who;
    memcpy(&who, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(who));
    from_us += who.pid == getpid();
    want(next[text[0] - '0']++ == text[2] - '0');
  }
  for (int i = 0; i < kSenders; i++) finish(threads[i]);
  const struct timeval soon = {0, 1000};
  want(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof(soon)) == 0);
  char byte;
  want(recv(fd, &byte, 1, 0) == -1 && errno == EAGAIN);
  printf("%d and %d, %d from us\n", next[0], next[1], from_us);
  return 0;
}
