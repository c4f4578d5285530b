// runtime/gate/gate_intents.cc
//
// What threads at the gate intend: who waits for an object, and how such a
// wait becomes one for another.

#include "runtime/gate/gate.h"
#include "runtime/gate/outside.h"

namespace fairlead::rt {

bool Gate::AnythingElse() const {
  return enabled_.size() > 1 || AnyParked() ||
         earliest_deadline_ns() != kNoDeadline;
}

bool Gate::IsAwaited(const Thread& writer, const void* address,
                     uint64_t bytes) const {
  const auto at = reinterpret_cast<uint64_t>(address);
  for (size_t i = 0; i < num_live_; ++i) {
    if (live_[i] != &writer && live_[i]->spin.LooksAt(at, bytes)) return true;
  }
  return false;
}

bool Gate::AnyIntends(const void* object) const {
  for (size_t i = 0; i < num_live_; ++i) {
    if (live_[i]->intent.object == object && live_[i] != running_) return true;
  }
  return false;
}

Intent& Gate::WaitFor(Thread& thread, const void* object) {
  if (thread.intent.object == object) return thread.intent;
  for (Interrupted* i = thread.signals.interrupted; i != nullptr;
       i = i->outer) {
    if (i->intent.object == object) return i->intent;
  }
  return thread.intent;
}

void Gate::Move(Thread& thread, const void* from, const void* to) {
  WaitFor(thread, from).object = to;
}

void Gate::Replace(Thread& thread, const void* object, const Intent& intent) {
  Intent& wait = WaitFor(thread, object);
  wait = intent;
  if (&wait != &thread.intent) return;
  thread.wake = Wake::kReady;
  Settle(thread);
}

}  // namespace fairlead::rt
