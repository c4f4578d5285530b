// TreeSet: one thread asks whether all of another set is in its own, a second
// removes from the other.
//
// The fix: ContainsAll holds the other's lock, too.

#include <assert.h>

#include "../monitor.h"
#include "../zoo.h"

namespace {

struct Node {
  unsigned key = 0;
  Node* less = nullptr;
  Node* greater = nullptr;
};

class TreeSet {
 public:
  void Add(unsigned key) {
    Synchronized here(monitor_);
    Node** link = &root_;
    while (*link != nullptr) {
      link = key < (*link)->key ? &(*link)->less : &(*link)->greater;
    }
    nodes_[size_].key = key;
    *link = &nodes_[size_++];
  }

  bool Contains(unsigned key) {
    Synchronized here(monitor_);
    const Node* node = root_;
    while (node != nullptr && node->key != key) {
      node = key < node->key ? node->less : node->greater;
    }
    return node != nullptr;
  }

  // Takes the greatest element out.
  void RemoveLast() {
    Synchronized here(monitor_);
    Node** link = &root_;
    while ((*link)->greater != nullptr) link = &(*link)->greater;
    *link = (*link)->less;
    --size_;
  }

  bool ContainsAll(TreeSet& other) {
    Synchronized here(monitor_);
    Synchronized there(other.monitor_);
    const unsigned count = other.size_;
    unsigned key = 0;
    for (unsigned i = 0; i < count; ++i) {
      const Node* next = other.Successor(key);
      assert(next != nullptr);
      key = next->key;
      if (!Contains(key)) return false;
    }
    return true;
  }

 private:
  // The least element above `key`; null if there is none.
  const Node* Successor(unsigned key) const {
    const Node* best = nullptr;
    const Node* node = root_;
    while (node != nullptr) {
      if (node->key > key) best = node;
      node = node->key > key ? node->less : node->greater;
    }
    return best;
  }

  Monitor monitor_;
  Node nodes_[8];
  Node* root_ = nullptr;
  unsigned size_ = 0;
};

TreeSet first;
TreeSet second;

void* Ask(void*) {
  zoo_start();
  if (!first.ContainsAll(second)) zoo_wrong("subset", 0, 1);
  return nullptr;
}

void* Remove(void*) {
  zoo_start();
  zoo_device(15000);
  second.RemoveLast();
  return nullptr;
}

}  // namespace

int main() {
  const unsigned keys[] = {40, 20, 60, 10, 30};
  for (const unsigned key : keys) {
    first.Add(key);
    second.Add(key);
  }
  zoo_threads(2);
  const pthread_t one = zoo_spawn(Ask, nullptr);
  const pthread_t two = zoo_spawn(Remove, nullptr);
  zoo_join(one);
  zoo_join(two);
  return 0;
}
