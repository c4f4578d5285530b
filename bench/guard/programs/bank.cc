// R-W | R-W, and no data race: the balance is read under the lock, and written
// under it again.
#include <mutex>
#include <thread>

#include "jitter.h"

namespace {

class Account {
 public:
  int Balance() {
    std::lock_guard<std::mutex> lock(mutex_);
    return balance_;
  }
  void SetBalance(int balance) {
    std::lock_guard<std::mutex> lock(mutex_);
    balance_ = balance;
  }

 private:
  std::mutex mutex_;
  int balance_ = 0;
};

Account account;

void Deposit() {
  for (int i = 0; i < 1; ++i) {
    work(400, 4000);
    const int balance = account.Balance();
    work(0, 12);
    account.SetBalance(balance + 1);
  }
}

}  // namespace

int main() {
  std::thread one(Deposit);
  std::thread two(Deposit);
  one.join();
  two.join();
  return account.Balance() == 2 ? 0 : 1;
}
