// std::string's members live in the C++ library. At -O0 a call of one is an
// access to the whole object; above, the compiler is given their bodies, and
// the pass keeps the bodies in the program, with sites of their own.

#include <string>

std::string text;  // fires object-write/32 x*

__attribute__((noinline)) void Append(char c) {
  text.push_back(c);  // fires[O0] object-write/32 x20 // fires[O1 O2 O3] object-write/32 x*
}

__attribute__((noinline)) unsigned long Size() {
  return text.size();  // fires[O0] object-read/32 // fires[O1 O2 O3] object-read/32 x*
}

int main() {
  for (int i = 0; i < 20; ++i) Append('a');
  return Size() == 20 ? 0 : 1;
}
