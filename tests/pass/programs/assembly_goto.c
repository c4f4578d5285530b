// Languages: c c++
// Probe: before
//
// Assembly that jumps is told ahead only: it has no one place behind it.

int word = 1;

int main(void) {
  __asm__ goto("cmpl $0, %0; jne %l1" : : "m"(word) : "cc" : taken);  // fires asm/4
  return 1;
taken:
  return 0;
}
