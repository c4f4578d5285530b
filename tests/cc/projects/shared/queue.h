/* A queue that several threads fill and one empties. */
#ifndef QUEUE_H
#define QUEUE_H
#ifdef __cplusplus
extern "C" {
#endif

struct queue;

struct queue* queue_make(unsigned capacity);
void queue_put(struct queue* q, int value);
int queue_take(struct queue* q); /* waits for one */
void queue_free(struct queue* q);

#ifdef __cplusplus
}
#endif
#endif
