// Mozilla #224911: observers are notified while another one is added.
//
// The list is copied, since observers may leave while they are notified.
//
// The fix: `count` is read once, atomically.

#include "../zoo.h"

namespace {

struct Observer {
  unsigned num_notified = 0;
};

constexpr unsigned kMost = 8;

struct ObserverList {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;  // of those who add
  Observer* observers[kMost] = {};
  volatile unsigned count = 0;
};

ObserverList list;
Observer all[kMost];

void Add(Observer* observer) {
  pthread_mutex_lock(&list.lock);
  list.observers[list.count] = observer;
  __atomic_store_n(&list.count, list.count + 1, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&list.lock);
}

void NotifyAll() {
  const unsigned count = __atomic_load_n(&list.count, __ATOMIC_ACQUIRE);
  auto** copy = static_cast<Observer**>(calloc(count + 1, sizeof(Observer*)));
  for (unsigned i = 0; i < count; ++i) copy[i] = list.observers[i];
  for (unsigned i = 0; i < count; ++i) ++copy[i]->num_notified;
  free(copy);
}

void* Notify(void*) {
  zoo_start();
  for (unsigned i = 0; i < 3; ++i) {
    NotifyAll();
    zoo_compute(1000, i);
  }
  return nullptr;
}

void* OpenWindow(void*) {
  zoo_start();
  zoo_device(15000);
  Add(&all[4]);
  return nullptr;
}

}  // namespace

int main() {
  for (unsigned i = 0; i < 4; ++i) Add(&all[i]);
  zoo_threads(2);
  const pthread_t one = zoo_spawn(Notify, nullptr);
  const pthread_t two = zoo_spawn(OpenWindow, nullptr);
  zoo_join(one);
  zoo_join(two);
  return all[0].num_notified == 3 ? 0 : 1;
}
