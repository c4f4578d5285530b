/* Apache #21287: two requests release one object of the memory cache.
 *
 * A cached object is freed by whoever takes its counter to zero.
 *
 * The fix: the result of the decrement decides.
 */

#include "../zoo.h"

enum { kBodyWords = 24 };

struct object {
  int refcount; /* atomic; users, and the cache while it is listed */
  char key[16];
  unsigned* body;
};

static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static struct object* cached; /* under cache_lock */
static int served;            /* atomic */

static struct object* create_object(const char* key) {
  struct object* object = malloc(sizeof *object);
  object->refcount = 1;
  snprintf(object->key, sizeof object->key, "%s", key);
  object->body = malloc(kBodyWords * sizeof *object->body);
  for (unsigned i = 0; i < kBodyWords; ++i) object->body[i] = i * i;
  return object;
}

static void cleanup_object(struct object* object) {
  free(object->body);
  free(object);
}

static void release(struct object* object) {
  if (__atomic_sub_fetch(&object->refcount, 1, __ATOMIC_SEQ_CST) == 0) {
    cleanup_object(object);
  }
}

static struct object* lookup(const char* key) {
  struct object* found = NULL;
  pthread_mutex_lock(&cache_lock);
  if (cached != NULL && strcmp(cached->key, key) == 0) {
    found = cached;
    __atomic_fetch_add(&found->refcount, 1, __ATOMIC_SEQ_CST);
  }
  pthread_mutex_unlock(&cache_lock);
  return found;
}

/* Takes the object out of the cache; its users keep it alive. */
static void expire(void) {
  struct object* victim;
  pthread_mutex_lock(&cache_lock);
  victim = cached;
  cached = NULL;
  pthread_mutex_unlock(&cache_lock);
  if (victim != NULL) release(victim);
}

static void serve(const char* key) {
  unsigned sum = 0;
  struct object* object = lookup(key);
  if (object == NULL) return;
  for (unsigned i = 0; i < kBodyWords; ++i) sum += object->body[i];
  if (sum != 4324) zoo_wrong("checksum of the body", sum, 4324);
  __atomic_fetch_add(&served, 1, __ATOMIC_SEQ_CST);
  release(object);
}

static void* worker(void* argument) {
  zoo_start();
  serve("/index.html");
  zoo_compute(2000, 7);
  return argument;
}

static void* maintenance(void* argument) {
  zoo_start();
  zoo_device(15000); /* the object is fresh for a while */
  expire();
  return argument;
}

int main(void) {
  cached = create_object("/index.html");
  zoo_threads(2);
  const pthread_t one = zoo_spawn(worker, NULL);
  const pthread_t two = zoo_spawn(maintenance, NULL);
  zoo_join(one);
  zoo_join(two);
  printf("served %d\n", served);
  return 0;
}
