// EXPECT: dangling
// Close may be called by the user and by the destructor's thread: both see the
// handle, both delete it.
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

class Handle {
 public:
  explicit Handle(const char* name) : name_(name), buffer_(new char[64]) {
    std::snprintf(buffer_, 64, "%s", name);
  }
  ~Handle() { delete[] buffer_; }
  char first() const { return buffer_[0]; }

 private:
  std::string name_;
  char* buffer_;
};

class Stream {
 public:
  explicit Stream(const char* name) : handle_(new Handle(name)) {}
  void Close() {
#ifdef FIXED
    std::lock_guard<std::mutex> lock(mutex_);
#endif
    if (handle_ == nullptr) return;
    delete handle_;
    handle_ = nullptr;
  }

 private:
  std::mutex mutex_;
  Handle* handle_;
};

int main() {
  Stream stream("a rather long name of a stream");
  std::thread one([&] { stream.Close(); });
  std::thread other([&] { stream.Close(); });
  one.join();
  other.join();
  return 0;
}
