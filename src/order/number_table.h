// order/number_table.h
//
// Numbers for keys, each key once: a hash table without nodes, since it is
// asked for every access. Keys are never taken out.

#ifndef FAIRLEAD_ORDER_NUMBER_TABLE_H_
#define FAIRLEAD_ORDER_NUMBER_TABLE_H_

#include <cstdint>
#include <utility>
#include <vector>

namespace fairlead::order {

// Key: equality-comparable; default-constructed = no key. Hash: of a key, good
// in its low bits.
template <typename Key, typename Number, typename Hash>
class NumberTable {
 public:
  // Null when the key has none. Holds until the next Add.
  const Number* Find(const Key& key) const {
    for (size_t at = Hash()(key) & mask_;; at = (at + 1) & mask_) {
      if (entries_[at].key == key) return &entries_[at].number;
      if (entries_[at].key == Key()) return nullptr;
    }
  }

  // For a key that has none and is not Key().
  void Add(const Key& key, Number number) {
    if (2 * ++size_ > entries_.size()) Grow();
    Put({key, number});
  }

 private:
  struct Entry {
    Key key = {};
    Number number = {};
  };

  void Put(const Entry& entry) {
    size_t at = Hash()(entry.key) & mask_;
    while (!(entries_[at].key == Key())) at = (at + 1) & mask_;
    entries_[at] = entry;
  }

  void Grow() {
    std::vector<Entry> old(2 * entries_.size());
    std::swap(old, entries_);
    mask_ = entries_.size() - 1;
    for (const Entry& entry : old) {
      if (!(entry.key == Key())) Put(entry);
    }
  }

  std::vector<Entry> entries_ = std::vector<Entry>(1024);
  size_t mask_ = 1023;
  size_t size_ = 0;
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_NUMBER_TABLE_H_
