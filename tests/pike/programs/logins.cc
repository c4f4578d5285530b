// A table of who is logged in. Changing a name takes the entry out and puts it
// back under the new name in two locked steps; who logs out meanwhile is
// refused as unknown, under either name. Every access is locked.
//
// Expected: wrong-answer, by an error. Twin: one step.

#include <map>
#include <mutex>

#include "served.h"

std::mutex lock;
std::map<std::string, int> users = {{"carl", 7}};

void Enter(const std::string& name, int number) {
  users[name] = number;
  Put("users", name, std::to_string(number));
}
void Leave(const std::string& name) {
  users.erase(name);
  Remove("users", name);
}

Reply Rename(const std::string& from, const std::string& to) {
  int number;
  {
    const std::lock_guard hold(lock);
    if (users.count(from) == 0) return {"no such user", 2};
    number = users[from];
    Leave(from);
#ifdef FIXED
    Enter(to, number);
#endif
  }
#ifndef FIXED
  const std::lock_guard hold(lock);
  Enter(to, number);
#endif
  return {"ok"};
}

// By number, whatever the name.
Reply Logout(int number) {
  const std::lock_guard hold(lock);
  for (const auto& [name, its] : users) {
    if (its != number) continue;
    Leave(std::string(name));
    return {"bye"};
  }
  return {"not logged in", 3};
}

int main() {
  fairlead_component("users", FAIRLEAD_MAP);
  Put("users", "carl", "7");
  AskBoth({"rename carl karl"}, {"logout 7"}, [](const std::string& asks) {
    return asks[0] == 'r' ? Rename("carl", "karl") : Logout(7);
  });
}
