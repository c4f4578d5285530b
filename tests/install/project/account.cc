// Two threads, one account, one lock.
#include <mutex>
#include <thread>

#if __has_include(<fairlead/fairlead.h>)
#include <fairlead/fairlead.h>
#endif

struct Account {
  std::mutex lock;
  int balance = 0;
};

int main() {
  Account account;
  const auto pay_in = [&] {
    for (int i = 0; i < 100; ++i) {
      std::lock_guard<std::mutex> hold(account.lock);
      ++account.balance;
    }
  };
  std::thread a(pay_in), b(pay_in);
  a.join();
  b.join();
  return account.balance == 200 ? 0 : 1;
}
