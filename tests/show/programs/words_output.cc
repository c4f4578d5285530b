// Two writers put words into one text, each word in two steps. Fix: one section
// in Write.
//
// OPTIONS: --same-output
// FUNCTIONS: Text::Append

#include <stdio.h>

#include <mutex>
#include <string>
#include <thread>

class Text {
 public:
  void Append(const char* part) {
    const std::lock_guard<std::mutex> lock(mutex_);
    all_ += part;  // SHOWS
  }
  void Print() { puts(all_.c_str()); }

 private:
  std::mutex mutex_;
  std::string all_;
};

static Text text;

static void Write(const char* first, const char* last) {
  text.Append(first);  // LACKS
  text.Append(last);   // LACKS
}

int main() {
  std::thread one([] { Write("Ada ", "Lovelace\n"); });
  std::thread other([] { Write("Alan ", "Turing\n"); });
  one.join();
  other.join();
  text.Print();
  return 0;
}
