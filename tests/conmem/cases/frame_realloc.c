// EXPECT: dangling
// A decoder grows its frame buffer while a filter still reads the old one.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct decoder {
  uint8_t* data;
  size_t size;
  pthread_mutex_t lock;
  unsigned checksum;
};

static int ensure(struct decoder* d, size_t size) {
  if (d->size >= size) return 0;
  uint8_t* grown = realloc(d->data, size);
  if (grown == NULL) return -1;
  memset(grown + d->size, 0, size - d->size);
  d->data = grown;
  d->size = size;
  return 0;
}

static void* decode(void* arg) {
  struct decoder* d = arg;
  static const size_t sizes[] = {32, 64, 48, 1 << 12};
  for (int i = 0; i < 4; ++i) {
    pthread_mutex_lock(&d->lock);
    if (ensure(d, sizes[i]) == 0) d->data[sizes[i] - 1] = (uint8_t)i;
    pthread_mutex_unlock(&d->lock);
  }
  return NULL;
}

static void* filter(void* arg) {
  struct decoder* d = arg;
  pthread_mutex_lock(&d->lock);
  const uint8_t* data = d->data;
  const size_t size = d->size;
#ifndef FIXED
  pthread_mutex_unlock(&d->lock);
#endif
  unsigned sum = 0;
  for (size_t i = 0; i < size; ++i) sum = sum * 31 + data[i];
#ifndef FIXED
  pthread_mutex_lock(&d->lock);
#endif
  d->checksum = sum;
  pthread_mutex_unlock(&d->lock);
  return NULL;
}

int main(void) {
  struct decoder d = {.lock = PTHREAD_MUTEX_INITIALIZER};
  ensure(&d, 16);
  pthread_t a, b;
  pthread_create(&a, NULL, filter, &d);
  pthread_create(&b, NULL, decode, &d);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(d.data);
  return 0;
}
