// A thread that never comes back to the gate: the time limit ends it.
//
// EXPECT: cut
// TEXT:   was running
// SEEDS:  2
// MILLISECONDS: 300

int main(void) {
  volatile int forever = 1;
  while (forever) {
  }
  return 0;
}
