// A packet buffer in C: bytes on the heap and their length, read by a consumer
// that takes the length first.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct packet {
  pthread_mutex_t lock;
  char* bytes;
  size_t length;
} packet;

packet* packet_new(size_t length) {
  packet* p = calloc(1, sizeof *p);
  pthread_mutex_init(&p->lock, NULL);
  p->bytes = malloc(length);
  memset(p->bytes, 'x', length);
  p->length = length;
  return p;
}

size_t packet_length(packet* p) {
  pthread_mutex_lock(&p->lock);
  const size_t length = p->length;
  pthread_mutex_unlock(&p->lock);
  return length;
}

void packet_reset(packet* p) {
  pthread_mutex_lock(&p->lock);
  free(p->bytes);
  p->bytes = NULL;
  p->length = 0;
  pthread_mutex_unlock(&p->lock);
}

int packet_sum(packet* p) {
  int sum = 0;
#ifdef FIXED
  pthread_mutex_lock(&p->lock);
  const size_t length = p->length;
#else
  const size_t length = packet_length(p);
  pthread_mutex_lock(&p->lock);
#endif
  for (size_t i = 0; i < length; ++i) sum += p->bytes[i];
  pthread_mutex_unlock(&p->lock);
  return sum;
}

static void* reads(void* arg) {
  packet_sum(arg);
  return NULL;
}

static void* resets(void* arg) {
  packet_reset(arg);
  return NULL;
}

int main(void) {
  packet* p = packet_new(8);
  pthread_t one, two;
  pthread_create(&one, NULL, reads, p);
  pthread_create(&two, NULL, resets, p);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
