// StringBuffer: append(other) against erase() on the other.
//
// Every method holds the lock of its own buffer, and so every access is locked.
//
// The fix: append() holds the other's lock from the length to the copy.

#include <assert.h>

#include "../monitor.h"
#include "../zoo.h"

namespace {

class StringBuffer {
 public:
  static constexpr unsigned kCapacity = 128;

  explicit StringBuffer(const char* text) {
    count_ = static_cast<unsigned>(strlen(text));
    memcpy(chars_, text, count_);
  }

  unsigned Length() {
    Synchronized here(monitor_);
    return count_;
  }

  void GetChars(unsigned begin, unsigned end, char* to) {
    Synchronized here(monitor_);
    assert(begin <= end && end <= count_);
    for (unsigned i = begin; i < end; ++i) to[i - begin] = chars_[i];
  }

  void Append(StringBuffer& other) {
    Synchronized here(monitor_);
    Synchronized there(other.monitor_);
    const unsigned length = other.Length();
    if (count_ + length > kCapacity) return;
    other.GetChars(0, length, chars_ + count_);
    count_ += length;
  }

  void Erase(unsigned begin, unsigned end) {
    Synchronized here(monitor_);
    if (end > count_) end = count_;
    if (begin >= end) return;
    for (unsigned i = end; i < count_; ++i) chars_[begin + i - end] = chars_[i];
    count_ -= end - begin;
  }

 private:
  Monitor monitor_;
  char chars_[kCapacity] = {};
  unsigned count_ = 0;
};

StringBuffer source("a line that is short");
StringBuffer target("");

void* AppendAll(void*) {
  zoo_start();
  for (unsigned i = 0; i < 3; ++i) {
    target.Append(source);
    zoo_compute(300, i);
  }
  return nullptr;
}

void* Shorten(void*) {
  zoo_start();
  zoo_device(15000);
  source.Erase(0, 12);
  return nullptr;
}

}  // namespace

int main() {
  zoo_threads(2);
  const pthread_t one = zoo_spawn(AppendAll, nullptr);
  const pthread_t two = zoo_spawn(Shorten, nullptr);
  zoo_join(one);
  zoo_join(two);
  return source.Length() == 8 ? 0 : 1;
}
