// Accounts: a transfer looks at the balances, and writes them under the lock
// again. One of two transfers is lost, and nobody is told. Every access is
// locked.
//
// Expected: corrupted-state, of component accounts. Twin: one step.

#include <mutex>

#include "served.h"

std::mutex lock;
int balance[3] = {100, 100, 100};

std::string Name(int account) { return "account " + std::to_string(account); }

Reply Transfer(int from, int to, int amount) {
#ifndef FIXED
  int left, more;
  {
    const std::lock_guard hold(lock);
    if (balance[from] < amount) return {"too little", 1};
    left = balance[from] - amount;
    more = balance[to] + amount;
  }
  const std::lock_guard hold(lock);
#else
  const std::lock_guard hold(lock);
  if (balance[from] < amount) return {"too little", 1};
  const int left = balance[from] - amount;
  const int more = balance[to] + amount;
#endif
  balance[from] = left;
  balance[to] = more;
  Put("accounts", Name(from), std::to_string(left));
  Put("accounts", Name(to), std::to_string(more));
  return {"ok"};
}

int main() {
  fairlead_component("accounts", FAIRLEAD_MAP);
  for (int i = 0; i < 3; ++i) Put("accounts", Name(i), "100");
  AskBoth({"move 0 1 30"}, {"move 1 2 50"}, [](const std::string& asks) {
    return Transfer(asks[5] - '0', asks[7] - '0', std::stoi(asks.substr(9)));
  });
}
