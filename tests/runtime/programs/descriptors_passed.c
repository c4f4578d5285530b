// A descriptor goes from one thread to another in a message, and stays this
// program's own: more than a pipe holds goes through it, also in a replay.
//
// EXPECT: ended(0)
// EVENTS: open use
// PLAIN:  0
// REPEATS: replayed

#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "verify.h"

enum { kBytes = 100000 };

static int sockets[2];

static void* send_one(void* unused) {
  int ends[2];
  VERIFY(pipe(ends) == 0);
  char byte = 'm', room[CMSG_SPACE(sizeof(int))] = {0};
  struct iovec part = {&byte, 1};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = room,
                           .msg_controllen = sizeof(room)};
  struct cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &ends[0], sizeof(int));
  VERIFY(sendmsg(sockets[0], &message, 0) == 1);
  close(ends[0]);
  static char bytes[kBytes];
  VERIFY(write(ends[1], bytes, kBytes) == kBytes);
  close(ends[1]);
  return 0;
}

static int receive_one(void) {
  char byte, room[CMSG_SPACE(sizeof(int))];
  struct iovec part = {&byte, 1};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = room,
                           .msg_controllen = sizeof(room)};
  VERIFY(recvmsg(sockets[1], &message, 0) == 1);
  int fd;
  memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(fd));
  return fd;
}

int main(void) {
  VERIFY(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets) == 0);
  pthread_t thread;
  pthread_create(&thread, 0, send_one, 0);
  const int fd = receive_one();
  static char bytes[4096];
  long total = 0;
  for (ssize_t got; (got = read(fd, bytes, sizeof(bytes))) > 0;) total += got;
  VERIFY(total == kBytes);
  pthread_join(thread, 0);
  return 0;
}
