// EXPECT: overflow
// A length is read from memory shared with the client twice: once for the
// check, once for the copy.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct message {
  volatile unsigned length;
  unsigned char body[256];
};
static struct message* shared;

static int handle(const struct message* m, unsigned char* to) {
#ifdef FIXED
  const unsigned length = m->length;
  if (length > 32) return -1;
  memcpy(to, m->body, length);
#else
  if (m->length > 32) return -1;
  memcpy(to, m->body, m->length);
#endif
  return 0;
}

static void* server(void* unused) {
  unsigned char* copy = malloc(32);
  handle(shared, copy);
  free(copy);
  return unused;
}
static void* client(void* unused) {
  shared->length = 200;
  return unused;
}
int main(void) {
  shared = calloc(1, sizeof *shared);
  shared->length = 16;
  pthread_t a, b;
  pthread_create(&a, NULL, server, NULL);
  pthread_create(&b, NULL, client, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(shared);
  return 0;
}
