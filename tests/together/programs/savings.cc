// A class and its base: the balance is the base's, the statement the derived
// one's, each kept under the same lock, in sections of their own.
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

class Balance {
 public:
  virtual ~Balance() = default;
  virtual void Deposit(long amount) {
    std::lock_guard hold(lock_);
    balance_ += amount;
  }

 protected:
  std::recursive_mutex lock_;
  long balance_ = 0;
};

class Savings final : public Balance {
 public:
  void Deposit(long amount) override {
#ifdef FIXED
    std::lock_guard hold(lock_);
#endif
    Balance::Deposit(amount);
    Note(amount);
  }
  bool Consistent() {
    std::lock_guard hold(lock_);
    long sum = 0;
    for (const long each : statement_) sum += each;
    return sum == balance_;
  }

 private:
  void Note(long amount) {
    std::lock_guard hold(lock_);
    statement_.push_back(amount);
  }

  std::vector<long> statement_;
};

int main() {
  Savings account;
  std::thread one([&account] { account.Deposit(100); });
  std::thread two([&account] {
    if (!account.Consistent()) {
      std::fprintf(stderr, "inconsistent\n");
      std::abort();
    }
  });
  one.join();
  two.join();
  return 0;
}
