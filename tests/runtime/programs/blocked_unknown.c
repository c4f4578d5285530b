// A thread waits in a system call that nothing is known of (a message queue):
// nobody else can run, and the time limit names it.
//
// EXPECT: cut
// TEXT: waited in the kernel, and nobody else could run
// TEXT: a system call (number 243) by
// UNCONTROLLED: blocking-calls 1
// SEEDS: 1
// MILLISECONDS: 500
// REPEATS: no

#include <fcntl.h>
#include <mqueue.h>
#include <unistd.h>

#include "verify.h"

int main(void) {
  struct mq_attr sizes = {.mq_maxmsg = 1, .mq_msgsize = 8};
  char name[64], message[8];
  snprintf(name, sizeof(name), "/fairlead-%d", (int)getpid());
  const mqd_t queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &sizes);
  VERIFY(queue >= 0);
  VERIFY(mq_unlink(name) == 0);
  mq_receive(queue, message, sizeof(message), 0);
  return 0;
}
