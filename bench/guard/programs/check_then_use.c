// R-R | W: a pointer is checked, then used; another thread clears it.
#include <pthread.h>
#include <stddef.h>

#include "jitter.h"

struct info {
  int uses;
};
static struct info the_info;
static struct info* info = &the_info;

static void* user(void* unused) {
  (void)unused;
  for (int i = 0; i < 8; ++i) {
    work(10, 60);
    if (info != NULL) {
      work(0, 6);
      info->uses++;
    }
  }
  return NULL;
}

static void* closer(void* unused) {
  (void)unused;
  work(100, 1500);
  info = NULL;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, user, NULL);
  pthread_create(&threads[1], NULL, closer, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
