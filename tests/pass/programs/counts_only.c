// Languages: c c++
// Probe: count
//
// Sites can count without telling addresses or values.

int value;

int main(void) {
  for (int i = 0; i < 10; ++i) {
    value += i;  // fires load x10, store x10
  }
  return value == 45 ? 0 : 1;  // fires load x1
}
