#include "analysis/conmem/twice.h"

#include <algorithm>

#include "analysis/conmem/held.h"

namespace fairlead::analysis::conmem {

using trace::Event;

void Twice::Remember(const Event& event, Lives& lives) {
  Thread& thread = ThreadOf(event.tid);
  ++thread.num_accesses;
  const uint64_t value = event.old_value.value_or(event.value);
  bool decides = false;
  if (tables_ != nullptr) {
    decides = tables_->SiteOf(event).has(abi::kSiteFeedsBranch);
  }
  const bool points = event.size == kPointerBytes && lives.At(value) != nullptr;
  if (!decides && !points) return;
  thread.looks[thread.num_looks++ % kLooks] = {
      order::SpotOf(event), event.address, value, thread.num_accesses, decides};
}

void Twice::OnWrite(const Event& event, order::Model& order) {
  Thread& thread = ThreadOf(event.tid);
  ++thread.num_accesses;
  std::vector<Look> looks;
  Look last;
  for (const Look& look : thread.looks) {
    if (look.location != event.address || look.value == event.value ||
        thread.num_accesses - look.at > kNear) {
      continue;
    }
    if (look.spot.seq > last.spot.seq) last = look;
    if (looks.size() < kMost) looks.push_back(look);
  }
  if (looks.empty()) return;
  const order::LocksetId over =
      HeldSince(last.spot.seq, event.tid, order.locks());
  // Who looks once more under a lock is sent away there.
  if (last.decides && over != order::LocksetId::kEmpty) looks = {last};
  Mark& mark = marks_.At(event.address);
  ++num_marks_;
  mark = {};
  mark.tid = event.tid;
  mark.looks = std::move(looks);
  mark.weak = order.weak_epoch();
  mark.over = over;
  mark.location = event.address;
  if (thread.freed.spot.seq != 0 && Ties(mark, thread.freed)) {
    mark.freed = thread.freed;
  }
  thread.marked[thread.num_marked++ % kMost] = event.address;
}

bool Twice::IsSecond(Mark& mark, const Second& second, order::Model& order) {
  const Tid tid = second.spot.tid;
  if (tid == mark.tid || mark.seconds.size() >= kMost) return false;
  const bool same_place = std::ranges::any_of(mark.looks, [&](const Look& it) {
    return it.spot.key() == second.spot.key();
  });
  if (!same_place) return false;
  if (before_.Of(tid, order)->Of(mark.tid) >= mark.weak.number() ||
      order.locks().Exclude(mark.over, order.locks().SetOf(tid)) ||
      order.IsBenign(mark.location)) {
    return false;
  }
  mark.seconds.push_back(second);
  return true;
}

Twice::Freed Twice::FreedBy(const Event& event, const Life& life) {
  Freed freed = {.spot = order::SpotOf(event),
                 .at = ThreadOf(event.tid).num_accesses,
                 .begin = life.begin,
                 .bytes = life.bytes,
                 .made = life.made,
                 .last_use = {}};
  for (const Use& use : life.uses) {
    if (use.spot.tid != event.tid || use.spot.seq < freed.last_use.seq) {
      continue;
    }
    freed.last_use = use.spot;
    freed.used = use.address;
  }
  return freed;
}

bool Twice::Ties(const Mark& mark, const Freed& freed) {
  return std::ranges::any_of(mark.looks, [&](const Look& look) {
    if (freed.spot.seq < look.spot.seq || freed.at - look.at > kNear) {
      return false;
    }
    return look.decides || look.value - freed.begin < freed.bytes;
  });
}

FreedTwice Twice::Told(const Mark& mark, const Second& second) {
  FreedTwice told = {.look = second.spot,
                     .location = mark.location,
                     .free = mark.freed.spot,
                     .last_use = {},
                     .used = mark.freed.used,
                     .block = mark.freed.begin,
                     .bytes = mark.freed.bytes,
                     .made = mark.freed.made};
  for (const Look& look : mark.looks) {
    if (look.spot.key() == second.spot.key()) told.null = look.value == 0;
    told.at_pointer |= look.value - mark.freed.begin < mark.freed.bytes;
    if (mark.freed.last_use.seq > look.spot.seq) {
      told.last_use = mark.freed.last_use;
    }
  }
  return told;
}

}  // namespace fairlead::analysis::conmem
