// A lost update: two clerks pay into one account without a lock.
//
// Each reads the balance, adds, and writes it back.  When one of them is
// interrupted between reading and writing, the other's payment is lost.  That
// is rare, so the program nearly always prints 2 and exits with 0.

#include <cstdio>
#include <thread>

struct Account {
  int balance = 0;
};

Account account;

void PayIn(int amount) {
  const int before = account.balance;
  account.balance = before + amount;  // too late if the other was here since
}

int main() {
  std::thread alice(PayIn, 1);
  std::thread bob(PayIn, 1);
  alice.join();
  bob.join();
  std::printf("balance %d\n", account.balance);
  return account.balance == 2 ? 0 : 1;
}
