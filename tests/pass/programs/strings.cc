// std::string's members live in the C++ library. A call of one is an access to
// the whole object. From -O1 on the compiler is given their bodies and the pass
// keeps them in the program, with sites of their own: the access is then marked
// as covered by those.

#include <string>

std::string text;  // fires object-write/32

__attribute__((noinline)) void Append(char c) {
  text.push_back(c);  // fires object-write/32 x20 // site[O0] object-write flags=none // site[O1 O2 O3] object-write flags=covered
}

__attribute__((noinline)) unsigned long Size() {
  return text.size();  // fires object-read/32 // site[O0] object-read flags=none // site[O1 O2 O3] object-read flags=covered
}

int main() {
  for (int i = 0; i < 20; ++i) Append('a');
  return Size() == 20 ? 0 : 1;
}
