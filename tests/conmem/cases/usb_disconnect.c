// EXPECT: null
// The interface's private data is taken away by disconnect; open reads it in
// one place and again in another.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct usb_device {
  int speed;
  int open_count;
};
struct skel {
  struct usb_device* udev;
  unsigned char* bulk_in;
  size_t bulk_size;
  int errors;
};
struct interface {
  pthread_mutex_t lock;
  struct skel* data;
  int minor;
};

static struct interface interface = {.lock = PTHREAD_MUTEX_INITIALIZER};

static __attribute__((noinline)) struct skel* get_intfdata(
    struct interface* i) {
  return *(struct skel* volatile*)&i->data;
}

static int skel_open(struct interface* i) {
#ifdef FIXED
  pthread_mutex_lock(&i->lock);
  if (get_intfdata(i) == NULL) {
    pthread_mutex_unlock(&i->lock);
    return -19;
  }
#else
  if (get_intfdata(i) == NULL) return -19;
#endif
  struct skel* dev = get_intfdata(i);
  dev->udev->open_count++;
#ifdef FIXED
  pthread_mutex_unlock(&i->lock);
#endif
  return 0;
}

static void skel_disconnect(struct interface* i) {
  pthread_mutex_lock(&i->lock);
  i->data = NULL;
  i->minor = 0;
  pthread_mutex_unlock(&i->lock);
}

static void* opener(void* arg) {
  int* result = arg;
  *result = skel_open(&interface);
  return NULL;
}

static void* hub(void* arg) {
  (void)arg;
  usleep(1000);
  skel_disconnect(&interface);
  return NULL;
}

int main(void) {
  struct usb_device device = {.speed = 3};
  struct skel* skel = calloc(1, sizeof *skel);
  skel->udev = &device;
  interface.data = skel;
  int result = 1;
  pthread_t a, b;
  pthread_create(&a, NULL, opener, &result);
  pthread_create(&b, NULL, hub, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(skel);
  printf("%s\n", result <= 0 ? "done" : "odd");
  return 0;
}
