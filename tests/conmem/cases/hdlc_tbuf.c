// EXPECT: dangling
// A line discipline keeps the frame it could not send in `tbuf`; a flush and a
// retry both put it on the free list, and release frees what is on the list.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buf {
  struct buf* link;
  int count;
  char data[64];
};
struct buf_list {
  pthread_mutex_t lock;
  struct buf* head;
  int count;
};
struct hdlc {
  struct buf_list tx_free;
  struct buf_list tx_list;
  pthread_mutex_t tbusy_lock;
  struct buf* tbuf;
  int sent;
};

static void list_put(struct buf_list* list, struct buf* buf) {
  pthread_mutex_lock(&list->lock);
  buf->link = list->head;
  list->head = buf;
  ++list->count;
  pthread_mutex_unlock(&list->lock);
}

static struct buf* list_get(struct buf_list* list) {
  pthread_mutex_lock(&list->lock);
  struct buf* buf = list->head;
  if (buf != NULL) {
    list->head = buf->link;
    --list->count;
  }
  pthread_mutex_unlock(&list->lock);
  return buf;
}

static void flush_tx(struct hdlc* hdlc) {
  struct buf* buf;
  while ((buf = list_get(&hdlc->tx_list)) != NULL) free(buf);
#ifdef FIXED
  pthread_mutex_lock(&hdlc->tbusy_lock);
#endif
  if (hdlc->tbuf != NULL) {
    free(hdlc->tbuf);
    hdlc->tbuf = NULL;
  }
#ifdef FIXED
  pthread_mutex_unlock(&hdlc->tbusy_lock);
#endif
}

static void send_frames(struct hdlc* hdlc) {
#ifdef FIXED
  pthread_mutex_lock(&hdlc->tbusy_lock);
#endif
  struct buf* buf = hdlc->tbuf;
  if (buf == NULL) buf = list_get(&hdlc->tx_list);
  while (buf != NULL) {
    hdlc->sent += buf->count;
    free(buf);
    hdlc->tbuf = NULL;
    buf = list_get(&hdlc->tx_list);
  }
#ifdef FIXED
  pthread_mutex_unlock(&hdlc->tbusy_lock);
#endif
}

static struct hdlc hdlc = {
    .tx_free = {.lock = PTHREAD_MUTEX_INITIALIZER},
    .tx_list = {.lock = PTHREAD_MUTEX_INITIALIZER},
    .tbusy_lock = PTHREAD_MUTEX_INITIALIZER,
};

static void* wakeup(void* arg) {
  send_frames(arg);
  return NULL;
}

static void* ioctl_flush(void* arg) {
  flush_tx(arg);
  return NULL;
}

int main(void) {
  hdlc.tbuf = calloc(1, sizeof(struct buf));
  hdlc.tbuf->count = 12;
  for (int i = 0; i < 2; ++i) {
    struct buf* buf = calloc(1, sizeof *buf);
    buf->count = i + 1;
    list_put(&hdlc.tx_list, buf);
  }
  pthread_t a, b;
  pthread_create(&a, NULL, wakeup, &hdlc);
  pthread_create(&b, NULL, ioctl_flush, &hdlc);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d\n", hdlc.sent);
  return 0;
}
