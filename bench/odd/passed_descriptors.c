// Descriptors travel between threads in messages; copies by dup3 and F_DUPFD.
// FLAGS: -O2

#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/socket.h>

#include "want.h"

enum { kMessages = 4 };

static int sockets[2];

static void* sender(void* unused) {
  for (int i = 0; i < kMessages; i++) {
    int ends[2];
    want(pipe(ends) == 0);
    char text[16], room[CMSG_SPACE(sizeof(int))] = {0};
    const int size = snprintf(text, sizeof(text), "message %d", i);
    struct iovec part = {text, (size_t)size};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = room,
                             .msg_controllen = sizeof(room)};
    struct cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &ends[0], sizeof(int));
    want(sendmsg(sockets[0], &message, 0) == size);
    close(ends[0]);
    want(write(ends[1], text + size - 1, 1) == 1);
    close(ends[1]);
  }
  return unused;
}

int main(void) {
  want(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets) == 0);
  const pthread_t thread = start(sender, NULL);
  for (int i = 0; i < kMessages; i++) {
    char text[16] = "", byte, rest, room[CMSG_SPACE(sizeof(int))];
    struct iovec part = {text, sizeof(text)};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = room,
                             .msg_controllen = sizeof(room)};
    want(recvmsg(sockets[1], &message, MSG_CMSG_CLOEXEC) > 0);
    int got;
    memcpy(&got, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(got));
    want(fcntl(got, F_GETFD) == FD_CLOEXEC);
    const int copy = dup3(got, 100 + i, 0);
    want(copy == 100 + i && fcntl(got, F_DUPFD, 200) >= 200);
    want(dup2(copy, copy) == copy);
    want(read(copy, &byte, 1) == 1 && read(got, &rest, 1) == 0);
    printf("%s: %c\n", text, byte);
  }
  finish(thread);
  return 0;
}
