// Looks as if built with AddressSanitizer.

void __asan_init(void);

int main(void) {
  __asan_init();
  return 0;
}
