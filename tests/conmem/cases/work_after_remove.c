// EXPECT: dangling
// A device is removed while delayed work on it is still queued.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct device {
  char name[16];
  int events;
  int removed;
};
struct work {
  void (*fn)(void*);
  void* arg;
};
#define QUEUE 16
static struct work queue[QUEUE];
static int head, tail, busy, done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static pthread_cond_t drained = PTHREAD_COND_INITIALIZER;

static void queue_work(void (*fn)(void*), void* arg) {
  pthread_mutex_lock(&lock);
  queue[tail++ % QUEUE] = (struct work){fn, arg};
  pthread_cond_signal(&more);
  pthread_mutex_unlock(&lock);
}

static void* kworker(void* unused) {
  pthread_mutex_lock(&lock);
  for (;;) {
    while (head == tail && !done) pthread_cond_wait(&more, &lock);
    if (head == tail) break;
    struct work work = queue[head++ % QUEUE];
    busy = 1;
    pthread_mutex_unlock(&lock);
    work.fn(work.arg);
    pthread_mutex_lock(&lock);
    busy = 0;
    pthread_cond_broadcast(&drained);
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

static void flush(void) {
  pthread_mutex_lock(&lock);
  while (head != tail || busy) pthread_cond_wait(&drained, &lock);
  pthread_mutex_unlock(&lock);
}

static void report(void* arg) {
  struct device* device = arg;
  device->events += (int)strlen(device->name);
}

static void* irq(void* arg) {
  queue_work(report, arg);
  queue_work(report, arg);
  return NULL;
}

static void* unplug(void* arg) {
  pthread_t* irq_thread = ((void**)arg)[1];
  pthread_join(*irq_thread, NULL);
  struct device* device = ((void**)arg)[0];
#ifdef FIXED
  flush();
#else
  (void)flush;
#endif
  free(device);
  return NULL;
}

int main(void) {
  struct device* device = calloc(1, sizeof *device);
  strcpy(device->name, "hid0");
  pthread_t worker, raiser, remover;
  pthread_create(&worker, NULL, kworker, NULL);
  pthread_create(&raiser, NULL, irq, device);
  void* both[2] = {device, &raiser};
  pthread_create(&remover, NULL, unplug, both);
  pthread_join(remover, NULL);
  pthread_mutex_lock(&lock);
  done = 1;
  pthread_cond_broadcast(&more);
  pthread_mutex_unlock(&lock);
  pthread_join(worker, NULL);
  return 0;
}
