// LinkedHashSet: one thread makes a set from another one's array, a second adds
// to that one.
//
// The fix: ToArray holds the lock.

#include <assert.h>

#include "../monitor.h"
#include "../zoo.h"

namespace {

constexpr unsigned kMost = 16;

struct Entry {
  unsigned key = 0;
  Entry* after = nullptr;
};

class LinkedHashSet {
 public:
  void Add(unsigned key) {
    Synchronized here(monitor_);
    Entry* const entry = &entries_[num_entries_++];
    entry->key = key;
    *tail_ = entry;
    tail_ = &entry->after;
    ++size_;
  }

  // Returns the number of elements; the caller frees the array.
  unsigned ToArray(unsigned** array) {
    Synchronized here(monitor_);
    const unsigned length = size_;
    *array = static_cast<unsigned*>(malloc((length + 1) * sizeof(unsigned)));
    unsigned at = 0;
    for (const Entry* entry = head_; entry != nullptr; entry = entry->after) {
      assert(at < length);
      (*array)[at++] = entry->key;
    }
    return at;
  }

 private:
  Monitor monitor_;
  Entry entries_[kMost];
  unsigned num_entries_ = 0;
  Entry* head_ = nullptr;
  Entry** tail_ = &head_;
  unsigned size_ = 0;
};

LinkedHashSet first;
LinkedHashSet second;

void* AddAll(void*) {
  zoo_start();
  unsigned* array = nullptr;
  const unsigned length = second.ToArray(&array);
  for (unsigned i = 0; i < length; ++i) first.Add(array[i]);
  free(array);
  return nullptr;
}

void* Grow(void*) {
  zoo_start();
  zoo_device(15000);
  second.Add(100);
  second.Add(101);
  return nullptr;
}

}  // namespace

int main() {
  for (unsigned key = 1; key <= 6; ++key) second.Add(key);
  zoo_threads(2);
  const pthread_t one = zoo_spawn(AddAll, nullptr);
  const pthread_t two = zoo_spawn(Grow, nullptr);
  zoo_join(one);
  zoo_join(two);
  return 0;
}
