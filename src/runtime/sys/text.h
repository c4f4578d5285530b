// runtime/sys/text.h
//
// Builds short texts in a buffer of the caller's: no allocation, no locale, no
// libc. What does not fit is cut off; the text always ends with a zero.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_SYS_TEXT_H_
#define FAIRLEAD_RUNTIME_SYS_TEXT_H_

#include <stddef.h>
#include <stdint.h>

namespace fairlead::rt {

class Text {
 public:
  Text(char* buffer, size_t capacity) : buffer_(buffer), capacity_(capacity) {
    buffer_[0] = '\0';
  }

  Text& Put(char c) {
    if (size_ + 1 < capacity_) buffer_[size_++] = c;
    buffer_[size_] = '\0';
    return *this;
  }
  Text& Put(const char* words) {
    while (*words != '\0') Put(*words++);
    return *this;
  }
  Text& Decimal(uint64_t value) {
    char digits[20];
    size_t n = 0;
    do {
      digits[n++] = static_cast<char>('0' + value % 10);
      value /= 10;
    } while (value != 0);
    while (n > 0) Put(digits[--n]);
    return *this;
  }
  Text& Hex(uint64_t value) {
    Put("0x");
    int shift = 60;
    while (shift > 0 && (value >> shift) == 0) shift -= 4;
    for (; shift >= 0; shift -= 4)
      Put("0123456789abcdef"[(value >> shift) & 15]);
    return *this;
  }
  const char* c_str() const { return buffer_; }
  size_t size() const { return size_; }

 private:
  char* buffer_;
  size_t capacity_;  // at least 1
  size_t size_ = 0;  // less than capacity_
};

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_SYS_TEXT_H_
