// EXPECT: dangling
// A shared DNS cache: one easy handle prunes what has expired while another
// still connects by an entry that it found.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct address {
  struct address* next;
  unsigned char ip[4];
};
struct dns_entry {
  struct address* list;
  long timestamp;
  int inuse;
  char host[24];
  struct dns_entry* next;
};
struct share {
  pthread_mutex_t lock;
  struct dns_entry* buckets[4];
  long now;
};

static struct share share = {.lock = PTHREAD_MUTEX_INITIALIZER, .now = 100};

static unsigned hash(const char* text) {
  unsigned h = 5381;
  while (*text) h = h * 33 + (unsigned char)*text++;
  return h % 4;
}

static void entry_free(struct dns_entry* entry) {
  struct address* at = entry->list;
  while (at != NULL) {
    struct address* next = at->next;
    free(at);
    at = next;
  }
  free(entry);
}

static void cache_addr(const char* host, unsigned char last) {
  struct dns_entry* entry = calloc(1, sizeof *entry);
  struct address* address = calloc(1, sizeof *address);
  address->ip[0] = 10;
  address->ip[3] = last;
  entry->list = address;
  entry->timestamp = share.now;
  strcpy(entry->host, host);
  pthread_mutex_lock(&share.lock);
  entry->next = share.buckets[hash(host)];
  share.buckets[hash(host)] = entry;
  pthread_mutex_unlock(&share.lock);
}

static struct dns_entry* fetch_addr(const char* host) {
  pthread_mutex_lock(&share.lock);
  struct dns_entry* entry = share.buckets[hash(host)];
  while (entry != NULL && strcmp(entry->host, host) != 0) entry = entry->next;
#ifdef FIXED
  if (entry != NULL) ++entry->inuse;
#endif
  pthread_mutex_unlock(&share.lock);
  return entry;
}

static void release(struct dns_entry* entry) {
#ifdef FIXED
  pthread_mutex_lock(&share.lock);
  --entry->inuse;
  pthread_mutex_unlock(&share.lock);
#else
  (void)entry;
#endif
}

static void prune(long now) {
  pthread_mutex_lock(&share.lock);
  for (int i = 0; i < 4; ++i) {
    struct dns_entry** at = &share.buckets[i];
    while (*at != NULL) {
      struct dns_entry* entry = *at;
      if (now - entry->timestamp > 60 && entry->inuse == 0) {
        *at = entry->next;
        entry_free(entry);
      } else {
        at = &entry->next;
      }
    }
  }
  pthread_mutex_unlock(&share.lock);
}

static void* transfer(void* arg) {
  int* sum = arg;
  struct dns_entry* entry = fetch_addr("mirror.example");
  if (entry == NULL) return NULL;
  for (struct address* at = entry->list; at != NULL; at = at->next) {
    *sum += at->ip[0] + at->ip[3];
  }
  release(entry);
  return NULL;
}

static void* second(void* arg) {
  (void)arg;
  prune(200);
  return NULL;
}

int main(void) {
  int sum = 0;
  cache_addr("mirror.example", 7);
  cache_addr("www.example", 9);
  pthread_t a, b;
  pthread_create(&a, NULL, transfer, &sum);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d\n", sum);
  return 0;
}
