// EXPECT: dangling
// A key is found under the lock, and its reference is taken after it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct key {
  struct key *next, *prev;
  atomic_uint usage;
  int serial;
  char payload[16];
};
static struct key keys = {.next = &keys, .prev = &keys};
static pthread_mutex_t keyring = PTHREAD_MUTEX_INITIALIZER;

static void key_put(struct key* key) {
  if (atomic_fetch_sub(&key->usage, 1) == 1) {
    memset(key->payload, 0, sizeof key->payload);
    free(key);
  }
}

static struct key* key_lookup(int serial) {
  struct key* found = NULL;
  pthread_mutex_lock(&keyring);
  for (struct key* key = keys.next; key != &keys; key = key->next) {
    if (key->serial == serial) {
      found = key;
      break;
    }
  }
#ifdef FIXED
  if (found != NULL) atomic_fetch_add(&found->usage, 1);
  pthread_mutex_unlock(&keyring);
#else
  pthread_mutex_unlock(&keyring);
  if (found != NULL) atomic_fetch_add(&found->usage, 1);
#endif
  return found;
}

static void key_add(int serial) {
  struct key* key = calloc(1, sizeof *key);
  atomic_init(&key->usage, 1);
  key->serial = serial;
  strcpy(key->payload, "secret");
  pthread_mutex_lock(&keyring);
  key->next = keys.next;
  key->prev = &keys;
  keys.next->prev = key;
  keys.next = key;
  pthread_mutex_unlock(&keyring);
}

static void key_revoke(int serial) {
  pthread_mutex_lock(&keyring);
  struct key* key = keys.next;
  while (key != &keys && key->serial != serial) key = key->next;
  if (key != &keys) {
    key->prev->next = key->next;
    key->next->prev = key->prev;
  }
  pthread_mutex_unlock(&keyring);
  if (key != &keys) key_put(key);
}

static void* reader(void* arg) {
  struct key* key = key_lookup(2);
  if (key != NULL) {
    *(char*)arg = key->payload[0];
    key_put(key);
  }
  return NULL;
}
static void* revoker(void* unused) {
  key_revoke(2);
  return unused;
}
int main(void) {
  char first = 0;
  pthread_t a, b;
  for (int i = 0; i < 4; ++i) key_add(i);
  pthread_create(&a, NULL, reader, &first);
  pthread_create(&b, NULL, revoker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
