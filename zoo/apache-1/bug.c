/* Apache-1: a request finds an object that is being removed.
 *
 * The slot of the cache is locked, the counter of an object is atomic. The
 * cache itself counts as a user.
 *
 * The bug: the request counts itself in after it has released the lock. The
 * object may be gone by then.
 */

#include "../zoo.h"

enum { kSlots = 4, kWords = 8 };

struct object {
  int refcount; /* atomic */
  unsigned* body;
};

static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static struct object* slots[kSlots]; /* under cache_lock */

static struct object* create(void) {
  struct object* object = malloc(sizeof *object);
  object->refcount = 1;
  object->body = malloc(kWords * sizeof *object->body);
  for (unsigned i = 0; i < kWords; ++i) object->body[i] = i;
  return object;
}

static void retain(struct object* object) {
  __atomic_fetch_add(&object->refcount, 1, __ATOMIC_SEQ_CST);
}

static void release(struct object* object) {
  if (__atomic_sub_fetch(&object->refcount, 1, __ATOMIC_SEQ_CST) == 0) {
    free(object->body);
    object->body = NULL;
    free(object);
  }
}

static struct object* lookup(unsigned slot) {
  pthread_mutex_lock(&cache_lock);
  struct object* object = slots[slot];
  pthread_mutex_unlock(&cache_lock);
  if (object != NULL) retain(object);
  return object;
}

static void remove_from_cache(unsigned slot) {
  pthread_mutex_lock(&cache_lock);
  struct object* object = slots[slot];
  slots[slot] = NULL;
  pthread_mutex_unlock(&cache_lock);
  if (object != NULL) release(object);
}

static void* serve(void* argument) {
  zoo_start();
  for (unsigned request = 0; request < kSlots; ++request) {
    struct object* object = lookup(request);
    if (object == NULL) continue;
    unsigned sum = 0;
    for (unsigned i = 0; i < kWords; ++i) sum += object->body[i];
    if (sum != 28) zoo_wrong("sum of the body", sum, 28);
    release(object);
    zoo_compute(500, request);
  }
  return argument;
}

static void* clean(void* argument) {
  zoo_start();
  zoo_device(15000);
  remove_from_cache(2);
  return argument;
}

int main(void) {
  for (unsigned i = 0; i < kSlots; ++i) slots[i] = create();
  zoo_threads(2);
  const pthread_t one = zoo_spawn(serve, NULL);
  const pthread_t two = zoo_spawn(clean, NULL);
  zoo_join(one);
  zoo_join(two);
  for (unsigned i = 0; i < kSlots; ++i) remove_from_cache(i);
  return 0;
}
