// Languages: c c++
// Probe: before,after,frames
//
// Entries and exits come in pairs, and an access knows the calls that lead to
// it, also behind a call that has returned.

int counter;

__attribute__((noinline)) static void leaf(void) {  // fires enter in main>middle, exit in main>middle, enter in main, exit in main
  counter++;  // fires load=0 in main>middle, load=2 in main, store x2
}

static void middle(void) {  // fires enter in main, exit in main
  leaf();
  counter++;  // fires load=1 in main, store=2 in main
}

static int factorial(int n) {  // fires enter x5, exit x5
  counter = n;  // fires store=5 in main, store=4 in main>factorial, store x3
  return n <= 1 ? 1 : n * factorial(n - 1);
}

int main(void) {  // fires enter, exit
  middle();
  leaf();
  return factorial(5) == 120 ? 0 : 1;
}
