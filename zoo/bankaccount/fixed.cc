// BankAccount: tellers change balances, always under the account's lock.
//
// The fix: one critical section for reading, computing and writing.

#include <assert.h>

#include "../zoo.h"

namespace {

class Account {
 public:
  explicit Account(long balance) : balance_(balance) {}

  long Read() {
    pthread_mutex_lock(&lock_);
    const long balance = balance_;
    pthread_mutex_unlock(&lock_);
    return balance;
  }

  void Deposit(long amount) {
    pthread_mutex_lock(&lock_);
    balance_ = WithBonus(balance_, amount);
    ++num_transactions_;
    pthread_mutex_unlock(&lock_);
  }

 private:
  // The bank computes for a while; the bonus is zero for small accounts.
  static long WithBonus(long balance, long amount) {
    zoo_compute(500, static_cast<unsigned>(amount));
    return balance + amount + (balance > 1000000 ? balance / 100 : 0);
  }

  pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
  long balance_;
  long num_transactions_ = 0;
};

Account savings(1000);
Account checking(500);

struct Teller {
  unsigned delay_us;
  long paid_in;  // sum of its deposits into savings
};

void* Work(void* argument) {
  auto* teller = static_cast<Teller*>(argument);
  zoo_start();
  zoo_device(teller->delay_us);  // the first customer arrives
  for (long i = 1; i <= 3; ++i) {
    checking.Read();
    savings.Deposit(10 * i);
    teller->paid_in += 10 * i;
    savings.Read();
  }
  return nullptr;
}

}  // namespace

int main() {
  Teller tellers[2] = {{0, 0}, {20000, 0}};
  zoo_threads(2);
  const pthread_t one = zoo_spawn(Work, &tellers[0]);
  const pthread_t two = zoo_spawn(Work, &tellers[1]);
  zoo_join(one);
  zoo_join(two);
  assert(savings.Read() == 1000 + tellers[0].paid_in + tellers[1].paid_in);
  return 0;
}
