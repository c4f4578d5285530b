// EXPECT: dangling
// As it happens the remover comes first: nothing is used after it.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sctp_assoc {
  int id;
  int refs;
  char peer[24];
};
static struct sctp_assoc* assoc;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void* shutdown_(void* u) {
  pthread_mutex_lock(&lock);
  struct sctp_assoc* a = assoc;
  assoc = NULL;
  pthread_mutex_unlock(&lock);
  free(a);
  return u;
}
static void* getsockopt_(void* u) {
  pthread_mutex_lock(&lock);
  struct sctp_assoc* a = assoc;
#ifndef FIXED
  pthread_mutex_unlock(&lock);
#endif
  if (a != NULL) total += a->id + (int)strlen(a->peer);
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return u;
}
int main(void) {
  pthread_t a, b;
  assoc = calloc(1, sizeof *assoc);
  assoc->id = 3;
  strcpy(assoc->peer, "10.0.0.1");
  pthread_create(&a, NULL, shutdown_, NULL);
  pthread_create(&b, NULL, getsockopt_, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return total < 0;
}
