// A request hands its work to a thread in the background, which is done before
// the next one begins, if they come one at a time; else a later one overtakes
// it. `read` waits until nothing is left to do.
//
// Expected: nothing.

#include <condition_variable>
#include <deque>
#include <mutex>

#include "served.h"

std::mutex lock;
std::condition_variable changed;
std::deque<int> work;
int sum = 0;
bool busy = false;
bool over = false;

void Work() {
  std::unique_lock hold(lock);
  while (true) {
    changed.wait(hold, [] { return over || !work.empty(); });
    if (work.empty()) return;
    busy = true;
    const int amount = work.front();
    work.pop_front();
    hold.unlock();
    hold.lock();
    sum += amount;
    const std::string text = std::to_string(sum);
    fairlead_state_set("sum", text.data(), text.size());
    busy = false;
    changed.notify_all();
  }
}

Reply ServeOne(const std::string& asks) {
  std::unique_lock hold(lock);
  if (asks == "read") {
    changed.wait(hold, [] { return work.empty() && !busy; });
    return {std::to_string(sum)};
  }
  work.push_back(std::stoi(asks));
  changed.notify_all();
  return {"queued"};
}

int main() {
  fairlead_component("sum", FAIRLEAD_REGISTER);
  std::thread worker(Work);
  AskBoth({"1", "read"}, {"10"}, ServeOne);
  {
    const std::lock_guard hold(lock);
    over = true;
    changed.notify_all();
  }
  worker.join();
}
