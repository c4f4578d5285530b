// Looks at a member of an object on the heap, and goes by it later. FIXED:
// under a lock.

#include <memory>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int coins = 3;
};

static void Spend(Account& account) {
#ifdef FIXED
  const std::lock_guard lock(account.mutex);
#endif
  if (account.coins > 0) account.coins -= 1;
}

int main() {
  const auto account = std::make_unique<Account>();
  std::thread other([&] { Spend(*account); });
  Spend(*account);
  other.join();
}
