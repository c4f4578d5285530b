// What `new` allocates is known at the allocation.

struct Node {
  Node* next;
  int value;
};

Node* head;

int main() {
  head = new Node;  // fires store/8 // site alloc type=Node
  head->value = 3;  // fires load/8, store=3@Node.value
  Node* copy = new Node(*head);  // fires load/8, range-read/16, range-write/16 // site alloc type=Node
  delete copy;
  delete head;  // fires load/8
  return 0;
}
