// A block that is used behind the mark that it is about to be freed. Only at
// the free itself can a thread be stopped between the two.

#include <pthread.h>
#include <stdlib.h>

static volatile int* block;
static volatile int marked;
static int used;

static void* Owner(void* unused) {
  marked = 1;
  free((void*)block);
  return unused;
}

static void* User(void* unused) {
  volatile int* mine = block;
  if (marked) {
    used = 1 + *mine;
  }
  return unused;
}

int main(void) {
  pthread_t owner, user;
  block = calloc(1, sizeof(*block));
  pthread_create(&owner, NULL, Owner, NULL);
  pthread_create(&user, NULL, User, NULL);
  pthread_join(owner, NULL);
  pthread_join(user, NULL);
  return used == 0 ? 0 : 3;
}
