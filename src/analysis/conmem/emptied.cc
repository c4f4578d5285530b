#include "analysis/conmem/emptied.h"

#include <algorithm>

#include "analysis/conmem/held.h"

namespace fairlead::analysis::conmem {
namespace {

constexpr uint64_t kLeast = 4;  // bytes of a count
constexpr uint64_t kMost = 8;
// What is larger is a pointer, or counts something else.
constexpr uint64_t kMostLeft = 0x10000;

}  // namespace

void Emptied::OnAccess(const trace::Event& event, order::Model& order,
                       Before& before) {
  if (event.size < kLeast || event.size > kMost) return;
  if (Reads(order.kind())) {
    OnLook(event, event.old_value.value_or(event.value), order, before);
  }
  if (Writes(order.kind())) OnWrite(event, order);
}

void Emptied::OnLook(const trace::Event& event, uint64_t value,
                     order::Model& order, Before& before) {
  const order::Spot look = order::SpotOf(event);
  if (value != 0) {
    if (value >= kMostLeft ||
        (!order::IsAtomic(event) && order.locks().HeldBy(event.tid).empty())) {
      return;
    }
    std::vector<Look>& looks = counts_.At(event.address).looks;
    const auto same = [&](const Look& each) {
      return each.tid == look.tid && each.key == look.key();
    };
    if (looks.size() < kMostLooks && std::ranges::none_of(looks, same)) {
      looks.push_back({look.tid, look.key()});
    }
    return;
  }
  const Count* count = counts_.Find(event.address);
  if (count == nullptr || count->last.seq == 0 ||
      count->last.tid == event.tid || found_.size() >= kMostFound) {
    return;
  }
  const auto here = [&](const Look& each) {
    return each.tid == count->last.tid && each.key == look.key();
  };
  const auto known = [&](const FoundEmpty& each) {
    return each.look.key() == look.key() &&
           each.last.key() == count->last.key();
  };
  if (std::ranges::none_of(count->looks, here) ||
      std::ranges::any_of(found_, known) ||
      before.Of(event.tid, order)->Of(count->last.tid) >= count->weak ||
      order.IsBenign(event.address)) {
    return;
  }
  found_.push_back({event.address, look, count->last, count->hold});
}

void Emptied::OnWrite(const trace::Event& event, order::Model& order) {
  Count* count = counts_.Find(event.address);
  if (count == nullptr) return;
  count->last = {};
  if (event.value != 0) return;
  count->last = order::SpotOf(event);
  count->weak = static_cast<uint32_t>(order.weak_epoch().number());
  count->hold = FirstTakenSince(0, event.tid, order.locks());
}

}  // namespace fairlead::analysis::conmem
