// Languages: c c++
//
// Inline assembly tells the memory that its operands name; where only the
// clobber list speaks of memory, the pointers in registers, with no size. An
// empty barrier and assembly without memory tell nothing.

int word = 1, other = 2;

int main(void) {
  __asm__ volatile("incl %0" : "+m"(word));  // fires asm/4 x2
  __asm__ volatile("" ::: "memory");
  int copy;
  __asm__("movl %1, %0" : "=r"(copy) : "m"(other));  // fires asm/4
  __asm__ volatile("lock; incl (%0)" : : "r"(&word) : "memory", "cc");  // fires asm/0
  __asm__ volatile("mfence" ::: "memory");  // fires asm/0
  __asm__ volatile("pause");
  return copy == 2 && word == 3 ? 0 : 1;  // fires load=3
}
