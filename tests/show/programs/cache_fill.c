// A cache is asked under the lock, and filled under it later: two threads that
// miss fill two slots with one key. Fix: Insert looks again.
//
// FUNCTIONS: Lookup Insert

#include <pthread.h>
#include <stdio.h>

enum { kSlots = 8 };

struct Slot {
  int key;
  int value;
};

struct Cache {
  pthread_mutex_t mutex;
  int used;
  struct Slot slots[kSlots];
};

static struct Cache cache = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static int Lookup(int key) {
  int found = -1;
  pthread_mutex_lock(&cache.mutex);
  for (int i = 0; i < cache.used; ++i) {  // SHOWS
    if (cache.slots[i].key == key) found = i;
  }
  pthread_mutex_unlock(&cache.mutex);
  return found;
}

static void Insert(int key, int value) {
  pthread_mutex_lock(&cache.mutex);
  const int slot = cache.used++;  // SHOWS
  cache.slots[slot].key = key;
  cache.slots[slot].value = value;
  pthread_mutex_unlock(&cache.mutex);
}

static void* Get(void* unused) {
  if (Lookup(7) < 0) Insert(7, 49);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    if (pthread_create(&threads[i], NULL, Get, NULL) != 0) return 2;
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  int sevens = 0;
  for (int i = 0; i < cache.used; ++i) sevens += cache.slots[i].key == 7;
  printf("%d\n", sevens);
  return sevens == 1 ? 0 : 1;
}
