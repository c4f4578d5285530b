// Probe: before,after,frames
//
// An exception through several frames: the context is the catching frame's
// again, frames with cleanups tell their own exit, and those without are told
// as unwound.

int steps;

struct Cleanup {
  ~Cleanup() {  // fires enter x*, exit x*
    steps++;  // fires load=2, store
  }
};

__attribute__((noinline)) void Thrower() {  // fires enter in main>Outer>Middle, unwound
  steps++;  // fires load=1 in main>Outer>Middle, store
  throw 7;  // fires store=7
}

void Middle() {  // fires enter in main>Outer, exit in main>Outer
  Cleanup cleanup;
  steps++;  // fires load=0 in main>Outer, store
  Thrower();
}

void Outer() {  // fires enter in main, unwound
  Middle();
}

void After() {  // fires enter in main, exit in main
  steps++;  // fires load=4 in main, store
}

int main() {  // fires enter, exit
  int caught = 0;
  try {
    Outer();
  } catch (int value) {  // fires load x*
    steps++;  // fires load=3, store
    caught = value;
  }
  After();
  return caught == 7 && steps == 5 ? 0 : 1;  // fires load=5
}
