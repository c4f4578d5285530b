// Looks as if ThreadSanitizer was linked in.

void __tsan_init(void) {}

int main(void) {
  __tsan_init();
  return 0;
}
