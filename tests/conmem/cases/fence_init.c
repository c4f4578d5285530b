// EXPECT: uninit
// A fence is put on the ring before its callback is set; the interrupt signals
// it.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct fence {
  unsigned seqno;
  void (*signal)(struct fence*);
  int signaled;
};
static struct fence* ring[4];
static int submitted;
static pthread_mutex_t ring_lock = PTHREAD_MUTEX_INITIALIZER;

static void mark(struct fence* fence) { fence->signaled = 1; }

static void emit(unsigned seqno) {
  struct fence* fence = malloc(sizeof *fence);
  fence->seqno = seqno;
#ifdef FIXED
  fence->signaled = 0;
  fence->signal = mark;
#endif
  pthread_mutex_lock(&ring_lock);
  ring[submitted++] = fence;
  pthread_mutex_unlock(&ring_lock);
#ifndef FIXED
  fence->signaled = 0;
  fence->signal = mark;
#endif
}

static void* submit(void* unused) {
  emit(1);
  emit(2);
  return unused;
}

static void* interrupt(void* unused) {
  int done = 0;
  while (done < 2) {
    pthread_mutex_lock(&ring_lock);
    struct fence* fence = done < submitted ? ring[done] : NULL;
    pthread_mutex_unlock(&ring_lock);
    if (fence == NULL) {
      usleep(100);
      continue;
    }
    fence->signal(fence);
    ++done;
  }
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, submit, NULL);
  pthread_create(&b, NULL, interrupt, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(ring[0]);
  free(ring[1]);
  return 0;
}
