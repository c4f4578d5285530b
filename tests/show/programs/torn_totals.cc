// Move changes two elements in two locked sections, and an audit between them
// misses what is under way. Fix: one section in Move.
//
// FUNCTIONS: Ledger::Move Ledger::Total

#include <mutex>
#include <thread>
#include <vector>

class Ledger {
 public:
  void Move(size_t from, size_t to, int amount) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      funds_[from] -= amount;  // SHOWS
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    funds_[to] += amount;  // SHOWS
  }

  int Total() {
    const std::lock_guard<std::mutex> lock(mutex_);
    int total = 0;
    for (size_t i = 0; i < funds_.size(); ++i) total += funds_[i];  // SHOWS
    return total;
  }

 private:
  std::mutex mutex_;
  std::vector<int> funds_ = {10, 20, 30};
};

int main() {
  Ledger ledger;
  std::thread mover([&] { ledger.Move(0, 2, 5); });
  const int total = ledger.Total();
  mover.join();
  return total == 60 ? 0 : 1;
}
