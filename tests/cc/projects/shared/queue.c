#include "queue.h"

#include <pthread.h>
#include <stdlib.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

struct queue {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  unsigned capacity, first, count;
  int values[];
};

struct queue* queue_make(unsigned capacity) {
  struct queue* q = malloc(sizeof *q + capacity * sizeof q->values[0]);
  if (q == NULL) abort();
  pthread_mutex_init(&q->lock, NULL);
  pthread_cond_init(&q->changed, NULL);
  q->capacity = capacity;
  q->first = q->count = 0;
  return q;
}

void queue_put(struct queue* q, int value) {
  pthread_mutex_lock(&q->lock);
  while (q->count == q->capacity) pthread_cond_wait(&q->changed, &q->lock);
  q->values[(q->first + q->count++) % q->capacity] = value;
  pthread_cond_broadcast(&q->changed);
  pthread_mutex_unlock(&q->lock);
}

int queue_take(struct queue* q) {
  pthread_mutex_lock(&q->lock);
  while (q->count == 0) pthread_cond_wait(&q->changed, &q->lock);
  int value = q->values[q->first];
  q->first = (q->first + 1) % q->capacity;
  --q->count;
  pthread_cond_broadcast(&q->changed);
  pthread_mutex_unlock(&q->lock);
  return value;
}

void queue_free(struct queue* q) {
  pthread_cond_destroy(&q->changed);
  pthread_mutex_destroy(&q->lock);
  free(q);
}
