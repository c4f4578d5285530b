// Threads that wait for one another at semaphores and message queues of System
// V and message queues of POSIX.
//
// EXPECT: ended(0)
// PLAIN:  0
// REPEATS: replayed

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <unistd.h>

#include "verify.h"

enum { kRounds = 4 };

struct message {
  long kind;
  char byte;
};

static int queue, semaphores;
static mqd_t posix;
static int shared;

static void change(unsigned short which, short by) {
  struct sembuf operation = {.sem_num = which, .sem_op = by};
  VERIFY(semop(semaphores, &operation, 1) == 0);
}

static void* produce(void* unused) {
  for (int i = 0; i < kRounds; ++i) {
    change(0, -1);
    VERIFY(shared == 2 * i + 1);
    shared++;
    change(1, 1);
    const struct message message = {1 + i % 2, (char)i};
    VERIFY(msgsnd(queue, &message, 1, 0) == 0);
    VERIFY(mq_send(posix, &message.byte, 1, 0) == 0);
  }
  return 0;
}

static void nothing_there(void) {
  struct message message;
  struct sembuf down = {.sem_num = 0, .sem_op = -1};
  const struct timespec soon = {0, 1000000}, past = {1, 0};
  VERIFY(msgrcv(queue, &message, 1, 0, IPC_NOWAIT) == -1 && errno == ENOMSG);
  VERIFY(semtimedop(semaphores, &down, 1, &soon) == -1 && errno == EAGAIN);
  char bytes[4];
  VERIFY(mq_timedreceive(posix, bytes, sizeof(bytes), 0, &past) == -1);
  VERIFY(errno == ETIMEDOUT);
}

int main(void) {
  queue = msgget(IPC_PRIVATE, 0600);
  semaphores = semget(IPC_PRIVATE, 2, 0600);
  char name[32];
  snprintf(name, sizeof(name), "/kernel-queues-%d", (int)getpid());
  struct mq_attr size = {.mq_maxmsg = 1, .mq_msgsize = 4};
  posix = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &size);
  VERIFY(queue >= 0 && semaphores >= 0 && posix >= 0 && mq_unlink(name) == 0);
  nothing_there();
  pthread_t thread;
  pthread_create(&thread, 0, produce, 0);
  for (int i = 0; i < kRounds; ++i) {
    shared++;
    change(0, 1);
    change(1, -1);
    VERIFY(shared == 2 * i + 2);
    struct message message;
    char bytes[4];
    VERIFY(msgrcv(queue, &message, 1, 1 + i % 2, 0) == 1 && message.byte == i);
    VERIFY(mq_receive(posix, bytes, sizeof(bytes), 0) == 1 && bytes[0] == i);
  }
  pthread_join(thread, 0);
  VERIFY(msgctl(queue, IPC_RMID, 0) == 0);
  VERIFY(semctl(semaphores, 0, IPC_RMID) == 0 && mq_close(posix) == 0);
  return 0;
}
