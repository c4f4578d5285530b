// EXPECT: null
// A read passes the check of the line discipline; a hangup takes it away.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tty;
struct ldisc_ops {
  int (*read)(struct tty*, char*, int);
  void (*close)(struct tty*);
};
struct tty {
  pthread_mutex_t lock;
  const struct ldisc_ops* ops;
  char buffer[64];
  int head, tail;
  int hung_up;
};

static int n_tty_read(struct tty* tty, char* to, int most) {
  int n = 0;
  while (n < most && tty->tail != tty->head) {
    to[n++] = tty->buffer[tty->tail++ % 64];
  }
  return n;
}
static void n_tty_close(struct tty* tty) { tty->head = tty->tail = 0; }
static const struct ldisc_ops n_tty = {n_tty_read, n_tty_close};

static int tty_read(struct tty* tty, char* to, int most) {
#ifdef FIXED
  pthread_mutex_lock(&tty->lock);
  int n = tty->ops == NULL ? -1 : tty->ops->read(tty, to, most);
  pthread_mutex_unlock(&tty->lock);
  return n;
#else
  if (tty->ops == NULL) return -1;
  return tty->ops->read(tty, to, most);
#endif
}

static void tty_hangup(struct tty* tty) {
  pthread_mutex_lock(&tty->lock);
  const struct ldisc_ops* ops = tty->ops;
  tty->hung_up = 1;
  tty->ops = NULL;
  pthread_mutex_unlock(&tty->lock);
  if (ops != NULL) ops->close(tty);
}

static void* reader(void* arg) {
  char line[16];
  tty_read(arg, line, sizeof line);
  return NULL;
}
static void* carrier_lost(void* arg) {
  tty_hangup(arg);
  return NULL;
}
int main(void) {
  struct tty* tty = calloc(1, sizeof *tty);
  pthread_mutex_init(&tty->lock, NULL);
  tty->ops = &n_tty;
  memcpy(tty->buffer, "login\n", 6);
  tty->head = 6;
  pthread_t a, b;
  pthread_create(&a, NULL, reader, tty);
  pthread_create(&b, NULL, carrier_lost, tty);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(tty);
  return 0;
}
