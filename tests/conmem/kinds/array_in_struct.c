// EXPECT: overflow
// The next free place of an array is checked, and read again for the store.
// What lies behind the array belongs to the same structure.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 4 };

struct table {
  volatile unsigned used;
  int entries[kMost];
  int version;
};

static struct table* table;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(int entry) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  if (table->used < kMost) {
    table->entries[table->used] = entry;
    table->used = table->used + 1;
  }
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
}

static void* run(void* argument) {
  add(*(int*)argument);
  return NULL;
}

int main(void) {
  table = malloc(sizeof *table);
  table->used = 0;
  table->version = 1;
  for (int i = 0; i + 1 < kMost; ++i) add(i);
  int numbers[2] = {7, 8};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    pthread_create(&threads[i], NULL, run, &numbers[i]);
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  free(table);
  puts("ok");
  return 0;
}
