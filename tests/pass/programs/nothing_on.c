// Languages: c c++
// Probe: none
//
// With every mode byte at 0 a runtime hears nothing.

int value;

int main(void) {
  for (int i = 0; i < 10; ++i) {
    value += i;  // fires load x0
  }
  return value == 45 ? 0 : 1;  // fires load x0
}
