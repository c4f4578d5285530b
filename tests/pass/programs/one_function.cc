// Only: Leaf
//
// One function is watched and the rest of the program stays idle: the idle
// bodies of its callers, in which it may have been inlined, lead to it all the
// same; also through a pointer, a virtual call and recursion.

int value, other;

static void Leaf(int n) {
  value += n;  // fires load x9, store x9
}

static void Inner(int n) {
  other++;  // fires load x0, store x0
  Leaf(n);
}

struct Base {  // fires store x0
  virtual void Call() = 0;
};
struct Derived : Base {  // fires store x0
  void Call() override { Leaf(1); }
};

static void Recurse(int n) {
  if (n == 0) return;
  Inner(n);
  Recurse(n - 1);
}

void (*pointer)(int) = Leaf;

int main() {
  Recurse(5);
  pointer(2);  // fires load x0
  Derived derived;
  Base* base = &derived;
  base->Call();  // fires load x0
  try {
    Leaf(3);
    throw 1;  // fires store x0
  } catch (int) {  // fires load x0
    Leaf(4);
  }
  return value == 25 && other == 5 ? 0 : 1;  // fires load x0
}
