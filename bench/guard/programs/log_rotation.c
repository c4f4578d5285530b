// W-W | R: a log is closed and opened again; a record in between is lost.
#include <pthread.h>
#include <stdatomic.h>

#include "jitter.h"

enum { kClosed, kOpen };
static int state = kOpen;
static atomic_int written;

static void* writer(void* unused) {
  (void)unused;
  for (int i = 0; i < 4; ++i) {
    work(300, 3000);
    if (state == kOpen) atomic_fetch_add(&written, 1);
  }
  return NULL;
}

static void* rotator(void* unused) {
  (void)unused;
  for (int i = 0; i < 1; ++i) {
    work(300, 6000);
    state = kClosed;
    work(0, 20);
    state = kOpen;
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, writer, NULL);
  pthread_create(&threads[1], NULL, rotator, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return written != 4;
}
