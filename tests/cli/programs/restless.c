// Never ends by itself, and always has children: some that wait, some that are
// just being made.

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int turns;

static void* turn(void* unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    ++turns;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

// A child that waits for ever, and has one itself.
static void linger(void) {
  if (fork() != 0) return;
  fork();
  for (;;) pause();
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, turn, 0);
  linger();
  for (;;) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    waitpid(child, 0, 0);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
}
