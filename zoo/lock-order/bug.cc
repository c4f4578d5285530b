// Transfers between two accounts, in both directions.
//
// The bug: a transfer locks the account that it takes from, then the one that
// it gives to. Two transfers in opposite directions wait for each other.

#include "../zoo.h"

namespace {

struct Account {
  unsigned number;
  long balance;
  pthread_mutex_t lock;
};

Account accounts[2] = {{0, 1000, PTHREAD_MUTEX_INITIALIZER},
                       {1, 1000, PTHREAD_MUTEX_INITIALIZER}};

void Transfer(Account& from, Account& to, long amount) {
  pthread_mutex_lock(&from.lock);
  pthread_mutex_lock(&to.lock);
  from.balance -= amount;
  to.balance += amount;
  pthread_mutex_unlock(&to.lock);
  pthread_mutex_unlock(&from.lock);
}

struct Clerk {
  unsigned from;
  unsigned delay_us;
};

void* Work(void* argument) {
  const auto* clerk = static_cast<Clerk*>(argument);
  zoo_start();
  zoo_device(clerk->delay_us);
  for (unsigned i = 0; i < 3; ++i) {
    zoo_compute(500, i);
    Transfer(accounts[clerk->from], accounts[1 - clerk->from], 10 + i);
  }
  return nullptr;
}

}  // namespace

int main() {
  Clerk clerks[2] = {{0, 0}, {1, 20000}};
  zoo_threads(2);
  const pthread_t one = zoo_spawn(Work, &clerks[0]);
  const pthread_t two = zoo_spawn(Work, &clerks[1]);
  zoo_join(one);
  zoo_join(two);
  const long sum = accounts[0].balance + accounts[1].balance;
  if (sum != 2000) zoo_wrong("sum of the balances", sum, 2000);
  return 0;
}
