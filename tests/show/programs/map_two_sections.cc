// Whether a word is known is asked in one locked section, and the word is
// inserted with a first count in another. Fix: one section in Count.
//
// FUNCTIONS: Words::Count

#include <map>
#include <mutex>
#include <string>
#include <thread>

class Words {
 public:
  void Count(const std::string& word) {
    bool known = false;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      known = counts_.find(word) != counts_.end();  // LACKS
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    if (known) {
      ++counts_[word];
    } else {
      counts_[word] = 1;  // SHOWS
    }
  }

  int Of(const std::string& word) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = counts_.find(word);
    return found == counts_.end() ? 0 : found->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, int> counts_;
};

int main() {
  Words words;
  std::thread one([&] { words.Count("lead"); });
  std::thread other([&] { words.Count("lead"); });
  one.join();
  other.join();
  return words.Of("lead") == 2 ? 0 : 1;
}
