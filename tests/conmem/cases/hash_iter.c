// EXPECT: dangling
// Statistics walk a bucket without its lock; a delete takes a node out of it.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4
struct entry {
  struct entry* next;
  unsigned key;
  unsigned value;
};
struct table {
  pthread_rwlock_t lock;
  struct entry* bucket[BUCKETS];
  unsigned size;
};
static struct table table = {.lock = PTHREAD_RWLOCK_INITIALIZER};

static void table_put(unsigned key, unsigned value) {
  struct entry* entry = malloc(sizeof *entry);
  entry->key = key;
  entry->value = value;
  pthread_rwlock_wrlock(&table.lock);
  entry->next = table.bucket[key % BUCKETS];
  table.bucket[key % BUCKETS] = entry;
  ++table.size;
  pthread_rwlock_unlock(&table.lock);
}

static void table_remove(unsigned key) {
  pthread_rwlock_wrlock(&table.lock);
  struct entry** at = &table.bucket[key % BUCKETS];
  while (*at != NULL && (*at)->key != key) at = &(*at)->next;
  struct entry* gone = *at;
  if (gone != NULL) {
    *at = gone->next;
    --table.size;
  }
  pthread_rwlock_unlock(&table.lock);
  free(gone);
}

static unsigned table_sum(void) {
  unsigned sum = 0;
#ifdef FIXED
  pthread_rwlock_rdlock(&table.lock);
#endif
  for (int i = 0; i < BUCKETS; ++i) {
    for (struct entry* e = table.bucket[i]; e != NULL; e = e->next) {
      sum += e->value;
    }
  }
#ifdef FIXED
  pthread_rwlock_unlock(&table.lock);
#endif
  return sum;
}

static void* stats(void* result) {
  *(unsigned*)result = table_sum();
  return NULL;
}
static void* deleter(void* unused) {
  table_remove(5);
  table_remove(2);
  return unused;
}
int main(void) {
  unsigned sum;
  pthread_t a, b;
  for (unsigned i = 0; i < 8; ++i) table_put(i, i * i);
  pthread_create(&a, NULL, stats, &sum);
  pthread_create(&b, NULL, deleter, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
