// EXPECT: dangling
// A TLS session cache returns a session without a reference; another handshake
// evicts the oldest one and frees it.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CACHE 2
struct session {
  unsigned char id[8];
  unsigned char master[16];
  int references;
  struct session* older;
};
static struct session* newest;
static int cached;
static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;

static void session_free(struct session* s) {
  pthread_mutex_lock(&cache_lock);
  int left = --s->references;
  pthread_mutex_unlock(&cache_lock);
  if (left > 0) return;
  memset(s->master, 0, sizeof s->master);
  free(s);
}

static void cache_add(unsigned char tag) {
  struct session* s = malloc(sizeof *s);
  memset(s->id, tag, sizeof s->id);
  memset(s->master, tag ^ 0x5a, sizeof s->master);
  s->references = 1;
  struct session* victim = NULL;
  pthread_mutex_lock(&cache_lock);
  s->older = newest;
  newest = s;
  if (++cached > CACHE) {
    struct session** at = &newest;
    while ((*at)->older != NULL) at = &(*at)->older;
    victim = *at;
    *at = NULL;
    --cached;
  }
  pthread_mutex_unlock(&cache_lock);
  if (victim != NULL) session_free(victim);
}

static struct session* cache_get(unsigned char tag) {
  struct session* found = NULL;
  pthread_mutex_lock(&cache_lock);
  for (struct session* s = newest; s != NULL; s = s->older) {
    if (s->id[0] == tag) {
      found = s;
      break;
    }
  }
#ifdef FIXED
  if (found != NULL) ++found->references;
#endif
  pthread_mutex_unlock(&cache_lock);
  return found;
}

static void* resume(void* arg) {
  struct session* s = cache_get(1);
  if (s == NULL) return NULL;
  unsigned char* out = arg;
  for (int i = 0; i < 16; ++i) out[i] = s->master[i] ^ (unsigned char)i;
#ifdef FIXED
  session_free(s);
#endif
  return NULL;
}

static void* full_handshake(void* unused) {
  cache_add(3);
  return unused;
}

int main(void) {
  unsigned char derived[16];
  pthread_t a, b;
  cache_add(1);
  cache_add(2);
  pthread_create(&a, NULL, resume, derived);
  pthread_create(&b, NULL, full_handshake, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
