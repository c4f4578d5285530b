/* memcached #127: two clients increment one counter.
 *
 * Looking an item up takes the cache's lock, and changing it takes the lock
 * again; a reference keeps the item alive meanwhile. A number that gains a
 * digit does not fit in place: a larger item replaces the old one.
 *
 * The bug: the other client may hold the old item by then, which is no longer
 * linked, and increments that.
 */

#include "../zoo.h"

enum { kBuckets = 4, kIncrements = 5 };

struct item {
  struct item* next;     /* in its bucket */
  struct item* next_old; /* in the list of replaced items */
  unsigned num_digits;
  char key[8];
  char value[]; /* num_digits of them */
};

static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static struct item* buckets[kBuckets]; /* under cache_lock */
static struct item* replaced;          /* under cache_lock */

static struct item** bucket_of(const char* key) {
  unsigned hash = 5381;
  while (*key != 0) hash = hash * 33 + (unsigned char)*key++;
  return &buckets[hash % kBuckets];
}

static struct item* make_item(const char* key, unsigned long number) {
  char text[24];
  const unsigned digits = (unsigned)snprintf(text, sizeof text, "%lu", number);
  struct item* item = malloc(sizeof *item + digits);
  snprintf(item->key, sizeof item->key, "%s", key);
  item->num_digits = digits;
  memcpy(item->value, text, digits);
  item->next_old = NULL;
  return item;
}

static unsigned long number_of(const struct item* item) {
  unsigned long number = 0;
  for (unsigned i = 0; i < item->num_digits; ++i) {
    number = number * 10 + (unsigned long)(item->value[i] - '0');
  }
  return number;
}

/* The caller holds the lock in the four that follow. */
static struct item* find_locked(const char* key) {
  struct item* item = *bucket_of(key);
  while (item != NULL && strcmp(item->key, key) != 0) item = item->next;
  return item;
}

static void link_locked(struct item* item) {
  struct item** bucket = bucket_of(item->key);
  item->next = *bucket;
  *bucket = item;
}

static void unlink_locked(struct item* item) {
  struct item** at = bucket_of(item->key);
  while (*at != NULL && strcmp((*at)->key, item->key) != 0) at = &(*at)->next;
  if (*at != NULL) {
    struct item* out = *at;
    *at = out->next;
    out->next_old = replaced;
    replaced = out;
  }
}

static void add_locked(struct item* item, unsigned long delta) {
  const unsigned long number = number_of(item) + delta;
  struct item* larger = make_item(item->key, number);
  if (larger->num_digits == item->num_digits) {
    memcpy(item->value, larger->value, item->num_digits);
    free(larger);
    return;
  }
  unlink_locked(item);
  link_locked(larger);
}

static void increment(const char* key) {
  pthread_mutex_lock(&cache_lock);
  struct item* item = find_locked(key);
  pthread_mutex_unlock(&cache_lock);
  if (item == NULL) return;
  pthread_mutex_lock(&cache_lock);
  add_locked(item, 1);
  pthread_mutex_unlock(&cache_lock);
}

struct client {
  unsigned delay_us;
  unsigned increments;
};

static void* serve(void* argument) {
  const struct client* client = argument;
  zoo_start();
  zoo_device(client->delay_us);
  for (unsigned i = 0; i < client->increments; ++i) {
    zoo_compute(500, i); /* parses the command */
    increment("hits");
  }
  return NULL;
}

int main(void) {
  struct client clients[2] = {{0, 2}, {20000, kIncrements - 2}};
  link_locked(make_item("hits", 97));
  link_locked(make_item("misses", 3));
  zoo_threads(2);
  const pthread_t one = zoo_spawn(serve, &clients[0]);
  const pthread_t two = zoo_spawn(serve, &clients[1]);
  zoo_join(one);
  zoo_join(two);
  const unsigned long hits = number_of(find_locked("hits"));
  if (hits != 97 + kIncrements) zoo_wrong("hits", (long)hits, 97 + kIncrements);
  return 0;
}
