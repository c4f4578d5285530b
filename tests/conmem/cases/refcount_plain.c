// EXPECT: dangling
// A reference count that is taken down without the lock: both see zero.
#include <pthread.h>
#include <stdlib.h>

struct page {
  pthread_mutex_t* lock;
  int refs;
  char bytes[100];
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void put_page(struct page* page) {
#ifdef FIXED
  pthread_mutex_lock(page->lock);
  int left = --page->refs;
  pthread_mutex_unlock(&lock);
  if (left == 0) free(page);
#else
  --page->refs;
  if (page->refs == 0) free(page);
#endif
}

static void* splice(void* arg) {
  struct page* page = arg;
  page->bytes[3] = 'x';
  put_page(page);
  return NULL;
}
static void* tee(void* arg) {
  struct page* page = arg;
  page->bytes[4] = 'y';
  put_page(page);
  return NULL;
}
int main(void) {
  struct page* page = malloc(sizeof *page);
  page->lock = &lock;
  page->refs = 2;
  pthread_t a, b;
  pthread_create(&a, NULL, splice, page);
  pthread_create(&b, NULL, tee, page);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
