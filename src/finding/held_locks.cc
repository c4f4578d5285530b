#include "finding/held_locks.h"

namespace fairlead::finding {
namespace {

using trace::Event;
using trace::EventKind;
using trace::Tid;

class Follower {
 public:
  const Held& Of(Tid tid) { return held_[tid]; }

  void On(const Event& event, size_t index) {
    Held& held = held_[event.tid];
    if (Takes(event)) {
      held.try_emplace(event.address, index);
    } else if (Gives(event)) {
      held.erase(event.address);
    } else if (event.kind == EventKind::kWait && event.partner) {
      given_up_[event.tid] = event.partner->object;
      held.erase(event.partner->object);
    } else if (event.kind == EventKind::kWaitDone) {
      const auto mutex = given_up_.find(event.tid);
      if (mutex != given_up_.end()) held.try_emplace(mutex->second, index);
    }
  }

 private:
  static bool Gives(const Event& event) {
    return (event.kind == EventKind::kUnlock && event.value == 0) ||
           event.kind == EventKind::kFileUnlock;
  }

  std::map<Tid, Held> held_;
  std::map<Tid, uint64_t> given_up_;  // by a wait, the last one
};

}  // namespace

bool Takes(const Event& event) {
  return event.kind == EventKind::kLock || event.kind == EventKind::kFileLock ||
         (event.kind == EventKind::kTryLock && event.has(abi::kFlagSuccess));
}

std::map<size_t, Held> HeldAt(const std::vector<Event>& events,
                              const std::set<size_t>& wanted) {
  std::map<size_t, Held> held;
  Follower follower;
  auto next = wanted.begin();
  for (size_t i = 0; i < events.size() && next != wanted.end(); ++i) {
    if (i == *next) {
      held[i] = follower.Of(events[i].tid);
      ++next;
    }
    follower.On(events[i], i);
  }
  return held;
}

}  // namespace fairlead::finding
