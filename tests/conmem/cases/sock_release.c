// EXPECT: dangling
// setsockopt drops and replaces the options of a socket while sendmsg reads
// them without the socket's lock.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct options {
  int length;
  unsigned char data[24];
};

struct sock {
  pthread_mutex_t lock;
  struct options* options;
  atomic_int users;
  unsigned sent;
};

static void sock_hold(struct sock* sk) { atomic_fetch_add(&sk->users, 1); }

static void sock_put(struct sock* sk) {
  if (atomic_fetch_sub(&sk->users, 1) != 1) return;
  free(sk->options);
  pthread_mutex_destroy(&sk->lock);
  free(sk);
}

static int sendmsg_(struct sock* sk, const char* bytes, int length) {
  char packet[128];
  int at = 0;
#ifdef FIXED
  pthread_mutex_lock(&sk->lock);
#endif
  struct options* options = sk->options;
  if (options != NULL) {
    memcpy(packet, options->data, (size_t)options->length);
    at = options->length;
  }
#ifdef FIXED
  pthread_mutex_unlock(&sk->lock);
#endif
  memcpy(packet + at, bytes, (size_t)length);
  pthread_mutex_lock(&sk->lock);
  sk->sent += (unsigned)(at + length);
  pthread_mutex_unlock(&sk->lock);
  return at + length;
}

static int setsockopt_(struct sock* sk, int length) {
  struct options* made = malloc(sizeof *made);
  if (made == NULL) return -1;
  made->length = length;
  memset(made->data, 7, sizeof made->data);
  pthread_mutex_lock(&sk->lock);
  struct options* old = sk->options;
  sk->options = made;
  pthread_mutex_unlock(&sk->lock);
  free(old);
  return 0;
}

static void* sender(void* arg) {
  struct sock* sk = arg;
  for (int i = 0; i < 3; ++i) sendmsg_(sk, "hello", 5);
  sock_put(sk);
  return NULL;
}

static void* setter(void* arg) {
  struct sock* sk = arg;
  setsockopt_(sk, 8);
  sock_put(sk);
  return NULL;
}

int main(void) {
  struct sock* sk = calloc(1, sizeof *sk);
  pthread_mutex_init(&sk->lock, NULL);
  atomic_init(&sk->users, 1);
  setsockopt_(sk, 4);
  pthread_t a, b;
  sock_hold(sk);
  pthread_create(&a, NULL, sender, sk);
  sock_hold(sk);
  pthread_create(&b, NULL, setter, sk);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  sock_put(sk);
  return 0;
}
