// Waits in a system call that nothing is known of: for a message that nobody
// sends.

#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  struct mq_attr sizes = {.mq_maxmsg = 1, .mq_msgsize = 8};
  char name[64], message[8];
  snprintf(name, sizeof(name), "/fairlead-%d", (int)getpid());
  const mqd_t queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &sizes);
  if (queue < 0 || mq_unlink(name) != 0) return 2;
  return mq_receive(queue, message, sizeof(message), NULL) < 0;
}
