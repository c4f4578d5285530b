// A stack without locks whose Pop may find a node again that was taken and put
// back. Fix: a counter beside the pointer in Pop.
//
// FUNCTIONS: Stack::Pop Stack::Push

#include <atomic>
#include <thread>

struct Node {
  int value = 0;
  Node* next = nullptr;
};

class Stack {
 public:
  void Push(Node* node) {
    node->next = top_.load();
    while (!top_.compare_exchange_strong(node->next, node)) {  // SHOWS
    }
  }

  Node* Pop() {
    Node* top = top_.load();  // SHOWS
    while (top != nullptr) {
      Node* next = top->next;                              // SHOWS
      if (top_.compare_exchange_strong(top, next)) break;  // SHOWS
    }
    return top;
  }

 private:
  std::atomic<Node*> top_ = nullptr;
};

static Stack stack;
static Node nodes[3];

int main() {
  for (Node& node : nodes) stack.Push(&node);
  std::thread one([] { stack.Pop(); });
  std::thread other([] {
    Node* first = stack.Pop();
    Node* second = stack.Pop();
    if (first == nullptr || second == nullptr) return;
    second->value = 1;
    stack.Push(first);
  });
  one.join();
  other.join();
  while (const Node* node = stack.Pop()) {
    if (node->value == 1) return 1;  // `second` is not on the stack
  }
  return 0;
}
