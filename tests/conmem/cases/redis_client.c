// EXPECT: dangling
// An I/O thread works on a client that the main loop kills: the list of
// clients that wait for output is taken over without them being kept.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct client {
  int fd;
  char* query;
  size_t reply_bytes;
  int flags;
  struct client* next;
};
enum { CLOSE_ASAP = 1, PENDING_WRITE = 2 };
static struct client* clients;
static struct client* pending;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t kick;

static struct client* create_client(int fd) {
  struct client* c = calloc(1, sizeof *c);
  c->fd = fd;
  c->query = strdup("SET key value");
  c->next = clients;
  clients = c;
  return c;
}

static void free_client(struct client* c) {
  for (struct client** at = &clients; *at != NULL; at = &(*at)->next) {
    if (*at == c) {
      *at = c->next;
      break;
    }
  }
  free(c->query);
  free(c);
}

static void* io_thread(void* unused) {
  sem_wait(&kick);
  pthread_mutex_lock(&lock);
  struct client* c = pending;
  pending = NULL;
#ifndef FIXED
  pthread_mutex_unlock(&lock);
#endif
  if (c != NULL) c->reply_bytes += strlen(c->query);
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return unused;
}

static void* killer(void* unused) {
  pthread_mutex_lock(&lock);
  struct client* c = clients;
  while (c != NULL && c->fd != 9) c = c->next;
  if (c != NULL) {
    if (pending == c) pending = NULL;
    free_client(c);
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  sem_init(&kick, 0, 0);
  create_client(8);
  pending = create_client(9);
  pending->flags = PENDING_WRITE;
  create_client(10);
  pthread_t a, b;
  pthread_create(&a, NULL, io_thread, NULL);
  sem_post(&kick);
  pthread_create(&b, NULL, killer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  while (clients != NULL) free_client(clients);
  return 0;
}
