// HashSet: one thread adds all of another set, a second lets that set grow.
//
// The bug: AddAll iterates over the other set without its lock.

#include <assert.h>

#include "../monitor.h"
#include "../zoo.h"

namespace {

constexpr unsigned kSmall = 8;
constexpr unsigned kLarge = 32;

class HashSet {
 public:
  void Add(unsigned key) {
    Synchronized here(monitor_);
    if (capacity_ == kSmall && size_ + 1 > kSmall / 2) Rehash();
    Insert(table_, capacity_, key);
    ++size_;
    ++num_changes_;
  }

  void AddAll(HashSet& other) {
    Synchronized here(monitor_);
    const unsigned expected = other.num_changes_;
    for (unsigned i = 0; i < other.capacity_; ++i) {
      assert(other.num_changes_ == expected);
      if (other.table_[i] != 0) Add(other.table_[i]);
    }
  }

  unsigned Size() {
    Synchronized here(monitor_);
    return size_;
  }

 private:
  static void Insert(unsigned* table, unsigned capacity, unsigned key) {
    unsigned at = key * 2654435761U % capacity;
    while (table[at] != 0 && table[at] != key) at = (at + 1) % capacity;
    table[at] = key;
  }

  void Rehash() {
    for (unsigned i = 0; i < capacity_; ++i) {
      if (table_[i] != 0) Insert(large_, kLarge, table_[i]);
    }
    table_ = large_;
    capacity_ = kLarge;
  }

  Monitor monitor_;
  unsigned small_[kSmall] = {};
  unsigned large_[kLarge] = {};
  unsigned* table_ = small_;
  unsigned capacity_ = kSmall;
  unsigned size_ = 0;
  unsigned num_changes_ = 0;
};

HashSet first;
HashSet second;

void* AddAll(void*) {
  zoo_start();
  first.AddAll(second);
  return nullptr;
}

void* Grow(void*) {
  zoo_start();
  zoo_device(15000);
  second.Add(77);
  second.Add(78);
  return nullptr;
}

}  // namespace

int main() {
  for (unsigned key = 1; key <= 4; ++key) second.Add(key);
  zoo_threads(2);
  const pthread_t one = zoo_spawn(AddAll, nullptr);
  const pthread_t two = zoo_spawn(Grow, nullptr);
  zoo_join(one);
  zoo_join(two);
  return second.Size() == 6 && first.Size() >= 4 ? 0 : 1;
}
