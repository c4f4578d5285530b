// EXPECT: dangling
// A request lies on the stack of who submits it and waits with a time-out; the
// device completes it afterwards all the same.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct request {
  int opcode;
  int status;
  char sense[32];
  int done;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct request* queued;
static int stopped;

__attribute__((noinline)) static int submit(int opcode) {
  struct request request;
  memset(&request, 0, sizeof request);
  request.opcode = opcode;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 50000000;
  if (until.tv_nsec >= 1000000000) {
    until.tv_nsec -= 1000000000;
    ++until.tv_sec;
  }
  pthread_mutex_lock(&lock);
  queued = &request;
  pthread_cond_broadcast(&changed);
  int result = 0;
  while (!request.done && result == 0) {
    result = pthread_cond_timedwait(&changed, &lock, &until);
  }
#ifdef FIXED
  if (queued == &request) queued = NULL;
#endif
  pthread_mutex_unlock(&lock);
  return result == 0 ? request.status : -result;
}

static void* device(void* arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
  while (queued == NULL && !stopped) pthread_cond_wait(&changed, &lock);
  struct request* request = queued;
#ifdef FIXED
  if (request != NULL) {
    request->status = request->opcode;
    request->done = 1;
    pthread_cond_broadcast(&changed);
  }
  pthread_mutex_unlock(&lock);
  return NULL;
#endif
  pthread_mutex_unlock(&lock);
  if (request == NULL) return NULL;
  int opcode = request->opcode;
  request->status = opcode;
  request->done = 1;
  pthread_mutex_lock(&lock);
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, device, NULL);
  submit(18);
  pthread_mutex_lock(&lock);
  stopped = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  puts("ok");
  return 0;
}
