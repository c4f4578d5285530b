// A cache before a table: who misses reads the table, and puts what it read
// into the cache later, when a writer may have changed the table and cleared
// the cache already. The stale value stays, for somebody who asks later. Every
// access is locked.
//
// Expected: corrupted-state, of component cache. Twin: it is put there only if
// nobody has written meanwhile.

#include <map>
#include <mutex>

#include "served.h"

std::mutex table_lock, cache_lock;
std::map<std::string, std::string> table = {{"x", "1"}};
std::map<std::string, std::string> cache;
int version = 0;  // of the table

Reply Get(const std::string& key) {
  {
    const std::lock_guard hold(cache_lock);
    if (const auto at = cache.find(key); at != cache.end()) return {at->second};
  }
  std::string value;
  int read = 0;
  {
    const std::lock_guard hold(table_lock);
    value = table[key];
    read = version;
  }
#ifdef FIXED
  const std::lock_guard none_writes(table_lock);
  if (read != version) return {value};
#endif
  const std::lock_guard hold(cache_lock);
  cache[key] = value;
  Put("cache", key, value);
  (void)read;
  return {value};
}

Reply Set(const std::string& key, const std::string& value) {
  const std::lock_guard hold(table_lock);
  table[key] = value;
  ++version;
  Put("table", key, value);
  const std::lock_guard also(cache_lock);
  cache.erase(key);
  Remove("cache", key);
  return {"ok"};
}

int main() {
  fairlead_component("table", FAIRLEAD_MAP);
  fairlead_component("cache", FAIRLEAD_MAP);
  Put("table", "x", "1");
  AskBoth({"get x"}, {"set x 2"}, [](const std::string& asks) {
    return asks[0] == 'g' ? Get(asks.substr(4)) : Set("x", asks.substr(6));
  });
}
