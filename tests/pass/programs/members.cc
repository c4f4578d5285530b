// Probe: before,after,frames
//
// Member functions in the function table: class, constructor, destructor,
// static, const, lambda, `this` and pointer parameters; and the same as events.
// -O1 and above give a constructor one body where -O0 gives it two.

extern "C" int printf(const char*, ...);

struct Base {  // type Base size=16 // fires enter x*, exit x*, store/8
  virtual ~Base() {}  // function destructor,this class=Base // fires enter x*, exit x*, store x*
  long base_value = 1;  // fires store=1@Base.base_value
};

class Account : public Base {  // type Account size=24 class // field tag offset=20 size=1
 public:
  explicit Account(int start) : balance_(start) {}  // function constructor,this class=Account params=0:Account // fires enter x*, exit x*, store/8 x*, store=5@Account.balance_, store x*
  ~Account() override {}  // fires enter x*, exit x*, store x*
  int Get() const { return balance_; }  // function this,const class=Account // fires enter($account), exit, load=9@Account.balance_
  static int Limit(const Account* a, int) {  // function static class=Account params=0:Account // fires enter($account), exit
    return a->balance_ + 1;  // fires load=9@Account.balance_
  }
  void Move(Account& other, int amount);
  int balance_;  // field balance_ offset=16 size=4
  char tag;
};

void Account::Move(Account& other, int amount) {  // function this class=Account params=0:Account,1:Account // fires enter($account,$account), exit
  other.balance_ += amount;  // fires load=5@Account.balance_, store=9@Account.balance_
}

int main() {  // function none // fires enter, exit
  Account account(5);
  printf("account %#lx\n", reinterpret_cast<long>(&account));  // fires range-write/1~relaxed x*
  account.Move(account, 4);
  auto twice = [&](int* p) { return account.balance_ * *p; };  // function lambda,this,internal,const params=0:,1: // fires enter, exit, load/8, load x*, store x*
  int two = 2;  // fires store=2
  const bool ok = account.Get() == 9 && Account::Limit(&account, 0) == 10 &&
                  twice(&two) == 18;
  return ok ? 0 : 1;
}
