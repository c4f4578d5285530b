// Gives out identifiers: the smallest that is free. Who looks for it takes it
// in a second locked step, so that two get the same one. Every access is
// locked.
//
// Expected: wrong-answer. Twin: one step.

#include <mutex>
#include <set>

#include "served.h"

std::mutex lock;
std::set<int> taken;

int Smallest() {
  int id = 1;
  while (taken.count(id) != 0) ++id;
  return id;
}

Reply Allocate() {
#ifdef FIXED
  const std::lock_guard hold(lock);
  const int id = Smallest();
#else
  int id;
  {
    const std::lock_guard hold(lock);
    id = Smallest();
  }
  const std::lock_guard hold(lock);
#endif
  taken.insert(id);
  Add("taken", std::to_string(id));
  return {"id " + std::to_string(id)};
}

Reply Release(int id) {
  const std::lock_guard hold(lock);
  if (taken.erase(id) == 0) return {"not taken", 2};
  Remove("taken", std::to_string(id));
  return {"ok"};
}

int main() {
  fairlead_component("taken", FAIRLEAD_SET);
  AskBoth({"new", "new"}, {"new", "free 1"}, [](const std::string& asks) {
    return asks == "new" ? Allocate() : Release(std::stoi(asks.substr(5)));
  });
}
