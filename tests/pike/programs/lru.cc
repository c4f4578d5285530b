// A cache of two entries that gives up the one that was used least recently.
// Who reads an entry brings it to the front in a second locked step; if it was
// given up meanwhile, it is there again, as a third one, for ever. Shown by
// walk functions.
//
// Expected: corrupted-state, of component entries. Twin: one step.

#include <algorithm>
#include <list>
#include <mutex>

#include "served.h"

std::mutex lock;
std::list<std::string> entries = {"a", "b"};  // used last comes first

void Front(const std::string& key) {
  entries.remove(key);
  entries.push_front(key);
}

Reply Get(const std::string& key) {
  {
    const std::lock_guard hold(lock);
    if (std::find(entries.begin(), entries.end(), key) == entries.end()) {
      return {"none"};
    }
#ifdef FIXED
    Front(key);
#endif
  }
#ifndef FIXED
  const std::lock_guard hold(lock);
  Front(key);
#endif
  return {"value of " + key};
}

Reply Set(const std::string& key) {
  const std::lock_guard hold(lock);
  Front(key);
  while (entries.size() > 2) entries.pop_back();
  return {"ok"};
}

void WalkEntries(fairlead_walk* walk, void*) {
  const std::lock_guard hold(lock);
  for (const std::string& each : entries) {
    fairlead_walk_element(walk, each.data(), each.size());
  }
}

int main() {
  fairlead_component("entries", FAIRLEAD_SEQUENCE);
  fairlead_state_walk("entries", WalkEntries, nullptr);
  AskBoth({"get b"}, {"set c"}, [](const std::string& asks) {
    return asks[0] == 'g' ? Get(asks.substr(4)) : Set(asks.substr(4));
  });
  fairlead_quiescent();
  entries.clear();
}
