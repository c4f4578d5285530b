#include "analysis/conmem/stack_uses.h"

#include <algorithm>

#include "analysis/conmem/held.h"

namespace fairlead::analysis::conmem {

using trace::Event;
using trace::EventKind;
using trace::Tid;

namespace {

// Whether the owner has gone on by this. Where it joins the user, it is as far
// as it can get: that step cannot be done, but the user is held until then.
bool GoesOn(const Event& event) {
  switch (event.kind) {
    case EventKind::kWakeCreate:
    case EventKind::kBegin:
    case EventKind::kEnd:
    case EventKind::kStack:
    case EventKind::kTls:
      return false;
    default:
      return event.site != 0;
  }
}

// Whether the owner has been told something that it might not have waited for.
bool MayGiveUp(EventKind kind) {
  return kind == EventKind::kWakeSignal || kind == EventKind::kWakeUnlock ||
         kind == EventKind::kWaitDone;
}

void SetAfter(LateOnStack& late, const Event& event) {
  late.after = order::SpotOf(event);
  late.after_address = event.address;
}

}  // namespace

void StackUses::OnTouch(const Event& event, Tid owner, order::Model& order) {
  if (event.site == 0) return;
  const order::Spot spot = order::SpotOf(event);
  Use* use = nullptr;
  size_t num_own = 0;
  for (Use& each : uses_) {
    if (each.owner != owner) continue;
    ++num_own;
    const order::Spot& known = each.late.use;
    if (known.tid == spot.tid && known.key() == spot.key()) use = &each;
  }
  if (use == nullptr) {
    if (num_own >= kMost) return;
    use = &uses_.emplace_back();
    ++num_waiting_;
  }
  *use = {.owner = owner,
          .weak = static_cast<uint32_t>(order.weak_epoch().number()),
          .late = {.use = spot,
                   .address = event.address,
                   .hold = FirstTakenSince(0, event.tid, order.locks()),
                   .after = {}}};
}

// The owner goes on: behind what it does now, unless that is ordered.
void StackUses::Follow(const Event& event, order::Model& order) {
  std::erase_if(uses_, [&](Use& use) {
    if (use.owner != event.tid || use.late.ended) return false;
    const Tid user = use.late.use.tid;
    if (use.beyond) {
      if (!event.has(abi::kFlagPoint) || event.site == 0) return false;
      SetAfter(use.late, event);
    } else if (order.weak().ClockOf(event.tid).Of(user) < use.weak) {
      if (GoesOn(event)) SetAfter(use.late, event);
      return false;
    } else if (MayGiveUp(event.kind)) {
      use.beyond = true;
      return false;
    }
    if (use.late.after.seq != 0) late_.push_back(use.late);
    --num_waiting_;
    return true;
  });
}

void StackUses::Change(const Event& event, order::Model& order) {
  stacks_.OnOther(event);
  switch (event.kind) {
    case EventKind::kEnd:
      for (Use& use : uses_) {
        if (use.owner != event.tid || use.late.ended) continue;
        use.late.ended = true;
        --num_waiting_;
      }
      return;
    case EventKind::kJoin:
      std::erase_if(uses_, [&](Use& use) {
        if (!use.late.ended || use.owner != static_cast<Tid>(event.value)) {
          return false;
        }
        const Tid user = use.late.use.tid;
        const auto known = order.weak().ClockOf(event.tid).Of(user);
        if (user != event.tid && known < use.weak) {
          SetAfter(use.late, event);
        }
        if (use.late.after.seq != 0) late_.push_back(use.late);
        return true;
      });
      return;
    default:
      return;
  }
}

}  // namespace fairlead::analysis::conmem
