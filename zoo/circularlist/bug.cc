// CircularList: threads take work from the head and put it back at the tail.
//
// The list promises that elements keep their order around the circle.
//
// The bug: taking and putting back are two critical sections. Two threads may
// put back in another order than they took.

#include <assert.h>

#include "../zoo.h"

namespace {

constexpr unsigned kCapacity = 16;
constexpr unsigned kElements = 10;

class CircularList {
 public:
  void Lock() { pthread_mutex_lock(&lock_); }
  void Unlock() { pthread_mutex_unlock(&lock_); }

  // The caller holds the lock.
  unsigned Take() {
    const unsigned element = ring_[head_ % kCapacity];
    ++head_;
    return element;
  }
  void Put(unsigned element) {
    ring_[tail_ % kCapacity] = element;
    ++tail_;
  }
  bool InOrder() const {
    for (unsigned i = head_; i + 1 < tail_; ++i) {
      const unsigned next = (ring_[i % kCapacity] + 1) % kElements;
      if (ring_[(i + 1) % kCapacity] != next) return false;
    }
    return tail_ - head_ == kElements;
  }

 private:
  pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
  unsigned ring_[kCapacity] = {};
  unsigned head_ = 0;
  unsigned tail_ = 0;
};

CircularList list;
unsigned load[2][kElements];

void RotateOne(unsigned* load_of) {
  list.Lock();
  const unsigned element = list.Take();
  list.Unlock();
  load_of[element] += zoo_compute(200, element) % 3;
  list.Lock();
  list.Put(element);
  list.Unlock();
}

struct Worker {
  unsigned delay_us;
  unsigned* load;
};

void* Work(void* argument) {
  const auto* worker = static_cast<Worker*>(argument);
  zoo_start();
  zoo_device(worker->delay_us);
  for (unsigned i = 0; i < 6; ++i) RotateOne(worker->load);
  return nullptr;
}

}  // namespace

int main() {
  for (unsigned i = 0; i < kElements; ++i) list.Put(i);
  Worker workers[2] = {{0, load[0]}, {20000, load[1]}};
  zoo_threads(2);
  const pthread_t one = zoo_spawn(Work, &workers[0]);
  const pthread_t two = zoo_spawn(Work, &workers[1]);
  zoo_join(one);
  zoo_join(two);
  assert(list.InOrder());
  return 0;
}
