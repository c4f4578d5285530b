// EXPECT: null
// A connection is reset by memset while a worker still writes through it.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct stream {
  char* out;
  int used;
};
struct connection {
  struct stream* stream;
  int state;
  int id;
};
static struct connection connections[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void reset(struct connection* c) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  memset(c, 0, sizeof *c);
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
}

static void reply(struct connection* c, char byte) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  if (c->state == 1) c->stream->out[c->stream->used++] = byte;
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
}

static void* worker(void* unused) {
  reply(&connections[1], 'a');
  reply(&connections[1], 'b');
  return unused;
}
static void* peer_reset(void* unused) {
  reset(&connections[1]);
  return unused;
}
int main(void) {
  char out[16];
  struct stream stream = {out, 0};
  connections[1] = (struct connection){&stream, 1, 7};
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, peer_reset, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
