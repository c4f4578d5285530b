// A mutex and a condition in shared memory: a thread of this process and its
// child take turns.
// FLAGS: -O2

#include <sys/mman.h>
#include <sys/wait.h>

#include "want.h"

enum { kTurns = 8 };

struct shared {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int turn;
  char text[kTurns * 2 + 1];
};

static struct shared* shared;

static void take_turns(int who) {
  for (int i = 0; i < kTurns; i++) {
    pthread_mutex_lock(&shared->mutex);
    while (shared->turn % 2 != who)
      pthread_cond_wait(&shared->changed, &shared->mutex);
    shared->text[shared->turn++] = "pc"[who];
    pthread_cond_broadcast(&shared->changed);
    pthread_mutex_unlock(&shared->mutex);
  }
}

static void* parent(void* unused) {
  take_turns(0);
  return unused;
}

int main(void) {
  shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                -1, 0);
  want(shared != MAP_FAILED);
  pthread_mutexattr_t mutexes;
  pthread_mutexattr_init(&mutexes);
  pthread_mutexattr_setpshared(&mutexes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&shared->mutex, &mutexes);
  pthread_condattr_t conditions;
  pthread_condattr_init(&conditions);
  pthread_condattr_setpshared(&conditions, PTHREAD_PROCESS_SHARED);
  pthread_cond_init(&shared->changed, &conditions);
  const pid_t child = fork();
  want(child >= 0);
  if (child == 0) {
    take_turns(1);
    _exit(0);
  }
  finish(start(parent, NULL));
  int status;
  want(waitpid(child, &status, 0) == child && status == 0);
  puts(shared->text);
  return 0;
}
