// weblech: spiders take addresses from a queue that all share.
//
// The fix: a spider takes, and stops when it got nothing.

#include "../monitor.h"
#include "../zoo.h"

namespace {

constexpr unsigned kAddresses = 7;

struct Address {
  unsigned depth = 0;
  unsigned page = 0;
};

class Queue {
 public:
  void Add(Address* address) {
    Synchronized here(monitor_);
    addresses_[size_++] = address;
  }
  unsigned Size() {
    Synchronized here(monitor_);
    return size_;
  }
  // The address that was added last; null if there is none.
  Address* Take() {
    Synchronized here(monitor_);
    return size_ == 0 ? nullptr : addresses_[--size_];
  }

 private:
  Monitor monitor_;
  Address* addresses_[kAddresses] = {};
  unsigned size_ = 0;
};

Queue queue;
Address addresses[kAddresses];

void* Spider(void* argument) {
  const unsigned delay_us = *static_cast<unsigned*>(argument);
  zoo_start();
  zoo_device(delay_us);
  while (Address* const address = queue.Take()) {
    address->page = zoo_compute(500, address->depth) % 1000;
  }
  return nullptr;
}

}  // namespace

int main() {
  unsigned delays_us[2] = {0, 20000};
  for (unsigned i = 0; i < kAddresses; ++i) {
    addresses[i].depth = i;
    queue.Add(&addresses[i]);
  }
  zoo_threads(2);
  const pthread_t one = zoo_spawn(Spider, &delays_us[0]);
  const pthread_t two = zoo_spawn(Spider, &delays_us[1]);
  zoo_join(one);
  zoo_join(two);
  return queue.Size() == 0 ? 0 : 1;
}
