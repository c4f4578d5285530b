// cache4j: objects are put into a cache while it is cleared.
//
// Objects have locks of their own; `memory` is the sum of their sizes.
//
// The bug: Put changes the object first and the sum later. A Clear in between
// leaves a sum of objects that are gone.

#include "../monitor.h"
#include "../zoo.h"

namespace {

constexpr unsigned kObjects = 4;

struct Object {
  Monitor monitor;
  unsigned size = 0;
};

class Cache {
 public:
  void Put(unsigned key, unsigned size) {
    const unsigned old = Replace(objects_[key], size);
    Account(old, size);
  }

  void Clear() {
    Synchronized here(monitor_);
    for (Object& object : objects_) Replace(object, 0);
    memory_ = 0;
  }

  long memory() const { return memory_; }
  long Sum() const {
    long sum = 0;
    for (const Object& object : objects_) sum += object.size;
    return sum;
  }

 private:
  static unsigned Replace(Object& object, unsigned size) {
    Synchronized there(object.monitor);
    const unsigned old = object.size;
    object.size = size;
    return old;
  }

  void Account(unsigned old, unsigned size) {
    Synchronized here(monitor_);
    memory_ += static_cast<long>(size) - static_cast<long>(old);
  }

  Monitor monitor_;
  Object objects_[kObjects];
  long memory_ = 0;
};

Cache cache;

void* Fill(void*) {
  zoo_start();
  for (unsigned i = 0; i < 6; ++i) {
    cache.Put(i % kObjects, 10 + i);
    zoo_compute(500, i);
  }
  return nullptr;
}

void* Clean(void*) {
  zoo_start();
  zoo_device(15000);
  cache.Clear();
  return nullptr;
}

}  // namespace

int main() {
  zoo_threads(2);
  const pthread_t one = zoo_spawn(Fill, nullptr);
  const pthread_t two = zoo_spawn(Clean, nullptr);
  zoo_join(one);
  zoo_join(two);
  if (cache.memory() != cache.Sum()) {
    zoo_wrong("memory", cache.memory(), cache.Sum());
  }
  return 0;
}
