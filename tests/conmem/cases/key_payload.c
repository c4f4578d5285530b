// EXPECT: uninit
// A key is linked into the ring before its payload and its destructor are set;
// a reader looks the key up and uses the payload.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct payload {
  size_t length;
  unsigned char bytes[32];
};
struct key {
  int serial;
  char description[16];
  struct payload* payload;
  struct key* next;
};

static struct key* ring;
static pthread_mutex_t ring_lock = PTHREAD_MUTEX_INITIALIZER;

static struct key* key_alloc(int serial, const char* description) {
  struct key* key = malloc(sizeof *key);
  key->serial = serial;
  strncpy(key->description, description, sizeof key->description);
  key->description[15] = 0;
  return key;
}

static void key_link(struct key* key) {
  pthread_mutex_lock(&ring_lock);
  key->next = ring;
  ring = key;
  pthread_mutex_unlock(&ring_lock);
}

static void key_instantiate(struct key* key, const char* secret) {
  struct payload* payload = malloc(sizeof *payload);
  payload->length = strlen(secret);
  memcpy(payload->bytes, secret, payload->length);
  key->payload = payload;
}

static struct key* key_search(const char* description) {
  pthread_mutex_lock(&ring_lock);
  struct key* key = ring;
  while (key != NULL && strcmp(key->description, description) != 0) {
    key = key->next;
  }
  pthread_mutex_unlock(&ring_lock);
  return key;
}

static void* add_key(void* arg) {
  (void)arg;
  struct key* key = key_alloc(7, "user:disk");
#ifdef FIXED
  key_instantiate(key, "0123456789");
  key_link(key);
#else
  key_link(key);
  key_instantiate(key, "0123456789");
#endif
  return NULL;
}

static void* read_key(void* arg) {
  size_t* got = arg;
  struct key* key = key_search("user:disk");
  if (key == NULL) return NULL;
  *got = key->payload->length;
  return NULL;
}

int main(void) {
  size_t got = 0;
  pthread_t a, b;
  pthread_create(&a, NULL, add_key, NULL);
  pthread_create(&b, NULL, read_key, &got);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%zu\n", got);
  return 0;
}
