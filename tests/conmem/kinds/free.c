// EXPECT: dangling
// Looked up in one section, used in the next; dropped between.
#include <pthread.h>
#include <stdlib.h>

struct item {
  int uses;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct item* listed;

static void* user(void* unused) {
  pthread_mutex_lock(&lock);
  struct item* item = listed;
#ifndef FIXED
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
#endif
  if (item != NULL) ++item->uses;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* owner(void* unused) {
  pthread_mutex_lock(&lock);
  struct item* item = listed;
  listed = NULL;
  pthread_mutex_unlock(&lock);
  free(item);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  listed = calloc(1, sizeof *listed);
  pthread_create(&threads[0], NULL, user, NULL);
  pthread_create(&threads[1], NULL, owner, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
