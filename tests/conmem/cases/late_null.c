// EXPECT: null
// The detach comes first, and the event finds nothing to do.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
struct driver {
  int (*event)(int);
};
static int on_event(int e) { return e + 1; }
static struct driver the_driver = {on_event};
static struct {
  struct driver* driver;
  pthread_mutex_t lock;
  int seen;
} dev = {&the_driver, PTHREAD_MUTEX_INITIALIZER, 0};
static void* detach(void* u) {
  pthread_mutex_lock(&dev.lock);
  dev.driver = NULL;
  pthread_mutex_unlock(&dev.lock);
  return u;
}
static void* hotplug(void* u) {
  usleep(2000);
#ifdef FIXED
  pthread_mutex_lock(&dev.lock);
#endif
  if (dev.driver) dev.seen = dev.driver->event(4);
#ifdef FIXED
  pthread_mutex_unlock(&dev.lock);
#endif
  return u;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, detach, NULL);
  pthread_create(&b, NULL, hotplug, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
