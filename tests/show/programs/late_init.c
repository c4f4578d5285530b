// A driver says that it is ready before its limits are set. Fix: the other
// order in Start.
//
// FUNCTIONS: Start Send

#include <assert.h>
#include <pthread.h>

struct Driver {
  pthread_mutex_t mutex;
  int ready;
  int max_bytes;
};

static struct Driver driver = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void* Start(void* unused) {
  pthread_mutex_lock(&driver.mutex);
  driver.ready = 1;  // SHOWS
  pthread_mutex_unlock(&driver.mutex);
  pthread_mutex_lock(&driver.mutex);
  driver.max_bytes = 512;  // LACKS
  pthread_mutex_unlock(&driver.mutex);
  return unused;
}

static void* Send(void* unused) {
  pthread_mutex_lock(&driver.mutex);
  if (driver.ready) {                    // SHOWS
    const int parts = driver.max_bytes;  // SHOWS
    assert(parts != 0);
  }
  pthread_mutex_unlock(&driver.mutex);
  return unused;
}

int main(void) {
  pthread_t starter, sender;
  if (pthread_create(&starter, NULL, Start, NULL) != 0) return 2;
  if (pthread_create(&sender, NULL, Send, NULL) != 0) return 2;
  pthread_join(starter, NULL);
  pthread_join(sender, NULL);
  return 0;
}
