// Looks like AddressSanitizer's runtime.

void __asan_init(void) {}
