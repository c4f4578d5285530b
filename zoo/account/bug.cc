// Account: one thread copies an account, another credits interest.
//
// All methods hold the object's lock, as Java's synchronized methods do.
//
// The bug: the copy takes checking and savings in two critical sections of the
// original. Interest credited in between is in one of them only.

#include "../monitor.h"
#include "../zoo.h"

namespace {

class Account {
 public:
  Account(double checking, double savings) {
    SetChecking(checking);
    SetSavings(savings);
  }

  explicit Account(Account& other) {
    SetEqualChecking(other);
    SetEqualSavings(other);
  }

  bool IsLegal() { return GetChecking() >= 0 && GetSavings() >= 0; }

  void CreditInterest(double rate) {
    Synchronized here(monitor_);
    SetChecking(GetChecking() * (1.0 + rate));
    SetSavings(GetSavings() * (1.0 + rate));
  }

  double GetChecking() {
    Synchronized here(monitor_);
    return checking_;
  }
  double GetSavings() {
    Synchronized here(monitor_);
    return savings_;
  }

 private:
  void SetEqualChecking(Account& other) {
    Synchronized here(monitor_);
    SetChecking(other.GetChecking());
  }
  void SetEqualSavings(Account& other) {
    Synchronized here(monitor_);
    SetSavings(other.GetSavings());
  }
  void SetChecking(double checking) {
    Synchronized here(monitor_);
    checking_ = checking;
  }
  void SetSavings(double savings) {
    Synchronized here(monitor_);
    savings_ = savings;
  }

  Monitor monitor_;
  double checking_ = 0;
  double savings_ = 0;
};

Account* x;

void* Copy(void*) {
  zoo_start();
  if (!x->IsLegal()) return nullptr;
  Account y(*x);
  zoo_compute(500, 1);  // statements that do not touch the accounts
  if (y.GetChecking() > y.GetSavings() || y.GetChecking() < y.GetSavings()) {
    zoo_wrong("difference of the copy's fields", 1, 0);
  }
  return nullptr;
}

void* Credit(void*) {
  zoo_start();
  zoo_device(15000);
  x->CreditInterest(0.25);
  return nullptr;
}

}  // namespace

int main() {
  x = new Account(100, 100);
  zoo_threads(2);
  const pthread_t one = zoo_spawn(Copy, nullptr);
  const pthread_t two = zoo_spawn(Credit, nullptr);
  zoo_join(one);
  zoo_join(two);
  delete x;
  return 0;
}
