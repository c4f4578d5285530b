// Queues and semaphores of System V and POSIX message queues: threads that wait
// for one another in calls of the kernel.
// FLAGS: -O2

#define _GNU_SOURCE
#include <fcntl.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

#include "want.h"

enum { kMessages = 6 };

struct message {
  long kind;
  int value;
};

static int queue, semaphores, *shared;
static mqd_t posix;

static void change(unsigned short which, short by) {
  struct sembuf operation = {.sem_num = which, .sem_op = by};
  want(semop(semaphores, &operation, 1) == 0);
}

static void* producer(void* unused) {
  for (int i = 0; i < kMessages; i++) {
    const struct message message = {1 + i % 2, i};
    want(msgsnd(queue, &message, sizeof(int), 0) == 0);
    change(0, -1);
    *shared += i;
    change(1, 1);
    const char text[] = {(char)('a' + i), 0};
    want(mq_send(posix, text, 2, (unsigned)i) == 0);
  }
  return unused;
}

int main(void) {
  queue = msgget(IPC_PRIVATE, 0600);
  semaphores = semget(IPC_PRIVATE, 2, 0600);
  const int memory = shmget(IPC_PRIVATE, 4096, 0600);
  want(queue >= 0 && semaphores >= 0 && memory >= 0);
  shared = shmat(memory, NULL, 0);
  want(shared != (void*)-1 && shmctl(memory, IPC_RMID, NULL) == 0);
  char name[32];
  snprintf(name, sizeof(name), "/odd-%d", (int)getpid());
  struct mq_attr size = {.mq_maxmsg = 2, .mq_msgsize = 8};
  posix = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &size);
  want(posix != (mqd_t)-1 && mq_unlink(name) == 0);
  const pthread_t thread = start(producer, NULL);
  char text[kMessages + 1] = "", byte[8];
  int values[2] = {0}, sums = 0;
  for (int i = 0; i < kMessages; i++) {
    struct message message;
    want(msgrcv(queue, &message, sizeof(int), 1 + i % 2, 0) == sizeof(int));
    values[i % 2] = values[i % 2] * 10 + message.value;
    change(0, 1);
    change(1, -1);
    sums += *shared;
    want(mq_receive(posix, byte, sizeof(byte), NULL) == 2);
    strcat(text, byte);
  }
  finish(thread);
  want(msgctl(queue, IPC_RMID, NULL) == 0);
  want(semctl(semaphores, 0, IPC_RMID) == 0 && mq_close(posix) == 0);
  printf("%03d %03d %d %s\n", values[0], values[1], sums, text);
  return 0;
}
