// A thread is cancelled in the initialiser of a function-local static: the
// guard is given up, and the next thread initialises.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>

#include <cstdlib>

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int attempts = 0;

struct Slow {
  Slow() {
    pthread_mutex_lock(&mutex);
    const int attempt = ++attempts;
    pthread_mutex_unlock(&mutex);
    if (attempt == 1) {
      for (;;) pthread_testcancel();
    }
  }
};

void* Use(void*) {
  static Slow slow;
  return nullptr;
}

}  // namespace

int main() {
  pthread_t a, b;
  void *from_a, *from_b;
  pthread_create(&a, nullptr, Use, nullptr);
  for (bool started = false; !started;) {
    pthread_mutex_lock(&mutex);
    started = attempts == 1;
    pthread_mutex_unlock(&mutex);
  }
  pthread_create(&b, nullptr, Use, nullptr);
  pthread_cancel(a);
  pthread_join(a, &from_a);
  pthread_join(b, &from_b);
  return from_a == PTHREAD_CANCELED && from_b == nullptr && attempts == 2 ? 0
                                                                          : 1;
}
