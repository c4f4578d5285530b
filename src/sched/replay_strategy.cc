#include "sched/replay_strategy.h"

namespace fairlead::sched {
namespace {

bool SameSite(SiteId wanted, SiteId found) {
  return wanted == SiteId::kNone || found == SiteId::kNone || wanted == found;
}

bool SameWay(uint32_t wanted, uint32_t found) {
  return wanted == 0 || found == 0 || wanted == found;
}

}  // namespace

size_t ReplayStrategy::Pick(const Point& point) noexcept {
  if (following_->parted) return first_.Pick(point);
  if (following_->followed == choices_.size()) return PickUnrecorded(point);
  const abi::ChoiceRecord& wanted = choices_[following_->followed];
  if (wanted.left != point.running || wanted.count > point.count) {
    return PickUnrecorded(point);
  }
  if (wanted.count < point.count) return Part(point);
  return PickRecorded(point, wanted);
}

size_t ReplayStrategy::PickUnrecorded(const Point& point) noexcept {
  if (IsOption(point)) return 0;
  const size_t running = Find(point, point.running);
  return running == kNotEnabled ? Part(point) : running;
}

// Other records may stand at the same count, behind what was offered there.
size_t ReplayStrategy::PickOffered(const Point& point,
                                   const abi::ChoiceRecord& wanted) noexcept {
  const bool taken =
      wanted.next == wanted.left &&
      wanted.option == static_cast<uint64_t>(point.enabled[1].object);
  if (!taken) return 0;
  ++following_->followed;
  return 1;
}

size_t ReplayStrategy::PickRecorded(const Point& point,
                                    const abi::ChoiceRecord& wanted) noexcept {
  if (point.offer) return PickOffered(point, wanted);
  if (!SameSite(wanted.anchor, point.site)) return Part(point);
  if (!SameWay(wanted.way, point.way)) return Part(point);
  size_t picked = Find(point, wanted.next);
  if (IsOption(point) != (wanted.next == wanted.left)) return Part(point);
  if (IsOption(point)) picked = wanted.option;
  if (picked >= point.enabled.size()) return Part(point);
  ++following_->followed;
  return picked;
}

size_t ReplayStrategy::Part(const Point& point) noexcept {
  following_->parted = true;
  abi::Divergence& where = following_->where;
  where = {};
  where.choice = following_->followed;
  if (where.choice < choices_.size()) where.wanted = choices_[where.choice];
  const size_t instead = first_.Pick(point);
  where.found = RecordOf(point, instead);
  if (Find(point, where.wanted.next) == kNotEnabled) {
    where.found.next = Tid::kNone;
  }
  return instead;
}

}  // namespace fairlead::sched
