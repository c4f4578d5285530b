// LinkedList: one thread compares two lists, a second removes from one.
//
// The fix: Equals holds the other's lock, too.

#include "../monitor.h"
#include "../zoo.h"

namespace {

constexpr unsigned kNodes = 6;

struct Node {
  unsigned value = 0;
  Node* next = nullptr;
};

class LinkedList {
 public:
  LinkedList() {
    for (unsigned i = kNodes; i-- > 0;) {
      nodes_[i].value = i;
      nodes_[i].next = head_;
      head_ = &nodes_[i];
    }
    size_ = kNodes;
  }

  bool Equals(LinkedList& other) {
    Synchronized here(monitor_);
    Synchronized there(other.monitor_);
    if (size_ != other.size_) return false;
    const Node* theirs = other.head_;
    for (const Node* mine = head_; mine != nullptr; mine = mine->next) {
      if (mine->value != theirs->value) return false;
      theirs = theirs->next;
    }
    return true;
  }

  // Takes out the node behind the first `skipped`.
  void RemoveAfter(unsigned skipped) {
    Synchronized here(monitor_);
    Node** link = &head_;
    for (unsigned i = 0; i < skipped; ++i) link = &(*link)->next;
    Node* const node = *link;
    *link = node->next;
    node->next = nullptr;
    --size_;
  }

 private:
  Monitor monitor_;
  Node nodes_[kNodes];
  Node* head_ = nullptr;
  unsigned size_ = 0;
};

LinkedList first;
LinkedList second;
unsigned num_equal;

void* Compare(void*) {
  zoo_start();
  for (unsigned i = 0; i < 3; ++i) {
    if (first.Equals(second)) ++num_equal;
    zoo_compute(500, i);
  }
  return nullptr;
}

void* Remove(void*) {
  zoo_start();
  zoo_device(15000);
  second.RemoveAfter(3);
  return nullptr;
}

}  // namespace

int main() {
  zoo_threads(2);
  const pthread_t one = zoo_spawn(Compare, nullptr);
  const pthread_t two = zoo_spawn(Remove, nullptr);
  zoo_join(one);
  zoo_join(two);
  return first.Equals(second) ? 1 : 0;
}
