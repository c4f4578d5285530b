// A text buffer that appends another one: the length is asked for in one
// section, the characters are taken in the next.
#include <cassert>
#include <cstring>
#include <mutex>
#include <thread>

class Text {
 public:
  explicit Text(const char* text) : length_(std::strlen(text)) {
    std::memcpy(bytes_, text, length_);
  }
  size_t Length() {
    std::lock_guard hold(lock_);
    return length_;
  }
  void Truncate(size_t length) {
    std::lock_guard hold(lock_);
    if (length < length_) length_ = length;
  }
  bool CopyTo(char* to, size_t length) {
    std::lock_guard hold(lock_);
    if (length > length_) return false;
    for (size_t i = 0; i < length; ++i) to[i] = bytes_[i];
    return true;
  }
  bool Append(Text& other) {
#ifdef FIXED
    std::scoped_lock both(lock_, other.lock_);
    const size_t more = other.length_;
#else
    const size_t more = other.Length();
    std::lock_guard hold(lock_);
#endif
    if (length_ + more > sizeof bytes_) return false;
    const bool copied = other.CopyTo(bytes_ + length_, more);
    assert(copied);
    length_ += more;
    return copied;
  }

 private:
  std::recursive_mutex lock_;
  char bytes_[256] = {};
  size_t length_;
};

int main() {
  Text a("left ");
  Text b("right");
  std::thread appends([&] { a.Append(b); });
  std::thread cuts([&] { b.Truncate(2); });
  appends.join();
  cuts.join();
  return 0;
}
