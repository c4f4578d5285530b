// One that cannot be followed ends the execution.
//
// EXPECT: cut
// TEXT:   int $0x80
// SEEDS:  2

int main(void) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(122), "b"(0L) : "memory");
  return 0;
}
