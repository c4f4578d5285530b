// Answers that differ from run to run and from order to order, and are right: a
// clock, a random number, a request that takes long, a log with the time. A
// component that nothing changes is declared as well.
//
// Expected: nothing, and that is said.

#include <time.h>
#include <unistd.h>

#include <mutex>
#include <random>

#include "served.h"

std::mutex lock;

Reply Answer(const std::string& asks) {
  const std::lock_guard hold(lock);
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  const std::string time =
      std::to_string(now.tv_sec) + "." + std::to_string(now.tv_nsec);
  const std::string entry = "[" + time + "] " + asks;
  fairlead_state_append("log", entry.data(), entry.size());
  if (asks == "time") return {"it is " + time};
  if (asks == "dice") return {std::to_string(std::random_device()())};
  sleep(3);
  return {"slept"};
}

int main() {
  fairlead_component("log", FAIRLEAD_MULTISET);
  fairlead_component("stale", FAIRLEAD_SET);
  AskBoth({"time", "dice"}, {"sleep", "dice"}, Answer);
}
