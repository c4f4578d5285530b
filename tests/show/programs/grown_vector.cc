// A pointer to an element is used after the lock is given up, and the vector
// grows meanwhile. Fix: First returns a copy.
//
// FUNCTIONS: Log::First Log::Add Longest

#include <mutex>
#include <thread>
#include <vector>

class Log {
 public:
  void Add(int entry) {
    const std::lock_guard<std::mutex> lock(mutex_);
    entries_.push_back(entry);  // SHOWS
  }

  const int* First() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return entries_.data();  // SHOWS
  }

 private:
  std::mutex mutex_;
  std::vector<int> entries_;
};

static Log journal;

static int Longest() {
  const int* first = journal.First();
  return *first;  // SHOWS
}

int main() {
  journal.Add(4);
  std::thread writer([] { journal.Add(5); });
  const int longest = Longest();
  writer.join();
  return longest == 4 ? 0 : 1;
}
