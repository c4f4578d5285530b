// Computes for ever, without coming to the gate.

int main(void) {
  for (volatile unsigned i = 0;; ++i) {
  }
}
