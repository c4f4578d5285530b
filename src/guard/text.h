// guard/text.h
//
// Lines of text, made without libc's formatting.
//
// Tier: in-program. Threads: a Line belongs to one; async-signal-safe.

#ifndef FAIRLEAD_GUARD_TEXT_H_
#define FAIRLEAD_GUARD_TEXT_H_

#include <stddef.h>
#include <stdint.h>

namespace fairlead::guard {

// At most kBytes - 1 characters; what is more is cut.
template <size_t kBytes>
class Line {
 public:
  Line& Add(const char* text) {
    while (*text != '\0') Add(*text++);
    return *this;
  }
  Line& Add(uint64_t number) { return AddNumber(number, 10); }
  Line& AddHex(uint64_t number) { return AddNumber(number, 16); }

  const char* text() const { return text_; }
  size_t length() const { return length_; }

 private:
  void Add(char c) {
    if (length_ + 1 >= kBytes) return;
    text_[length_++] = c;
    text_[length_] = '\0';
  }
  Line& AddNumber(uint64_t number, uint64_t base) {
    char digits[20];
    size_t count = 0;
    do {
      digits[count++] = "0123456789abcdef"[number % base];
      number /= base;
    } while (number != 0);
    while (count > 0) Add(digits[--count]);
    return *this;
  }

  char text_[kBytes] = {};
  size_t length_ = 0;
};

}  // namespace fairlead::guard

#endif  // FAIRLEAD_GUARD_TEXT_H_
