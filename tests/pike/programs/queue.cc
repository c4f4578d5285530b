// A queue whose takers look at the front and take it in two locked steps: two
// get the same element. Every access is locked.
//
// Expected: wrong-answer. Twin: one step.

#include <deque>
#include <mutex>

#include "served.h"

std::mutex lock;
std::deque<std::string> queue;

Reply PutLast(const std::string& element) {
  const std::lock_guard hold(lock);
  queue.push_back(element);
  fairlead_state_append("queue", element.data(), element.size());
  return {"ok"};
}

Reply Take() {
#ifdef FIXED
  const std::lock_guard hold(lock);
  if (queue.empty()) return {"nothing"};
  const std::string front = queue.front();
#else
  std::string front;
  {
    const std::lock_guard hold(lock);
    if (queue.empty()) return {"nothing"};
    front = queue.front();
  }
  const std::lock_guard hold(lock);
  if (queue.empty()) return {front};
#endif
  Remove("queue", queue.front());
  queue.pop_front();
  return {front};
}

int main() {
  fairlead_component("queue", FAIRLEAD_SEQUENCE);
  AskBoth({"put a", "take"}, {"put b", "take"}, [](const std::string& asks) {
    return asks == "take" ? Take() : PutLast(asks.substr(4));
  });
}
