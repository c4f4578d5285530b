// ArrayList: one thread appends a list to another, a second removes from it.
//
// The fix: AddAll holds the other's lock, too.

#include <assert.h>

#include "../monitor.h"
#include "../zoo.h"

namespace {

class ArrayList {
 public:
  void Add(unsigned element) {
    Synchronized here(monitor_);
    elements_[size_++] = element;
  }

  void RemoveLast() {
    Synchronized here(monitor_);
    if (size_ > 0) --size_;
  }

  void AddAll(ArrayList& other) {
    Synchronized here(monitor_);
    Synchronized there(other.monitor_);
    const unsigned count = other.size_;
    for (unsigned i = 0; i < count; ++i) Add(other.Get(i));
  }

  unsigned Size() {
    Synchronized here(monitor_);
    return size_;
  }

 private:
  // The caller holds the lock.
  unsigned Get(unsigned index) const {
    assert(index < size_);
    return elements_[index];
  }

  Monitor monitor_;
  unsigned elements_[32] = {};
  unsigned size_ = 0;
};

ArrayList first;
ArrayList second;

void* Append(void*) {
  zoo_start();
  first.AddAll(second);
  zoo_compute(500, 1);
  first.AddAll(second);
  return nullptr;
}

void* Remove(void*) {
  zoo_start();
  zoo_device(15000);
  second.RemoveLast();
  second.RemoveLast();
  return nullptr;
}

}  // namespace

int main() {
  for (unsigned i = 0; i < 8; ++i) second.Add(i);
  zoo_threads(2);
  const pthread_t one = zoo_spawn(Append, nullptr);
  const pthread_t two = zoo_spawn(Remove, nullptr);
  zoo_join(one);
  zoo_join(two);
  return second.Size() == 6 ? 0 : 1;
}
