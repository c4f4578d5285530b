#include "sched/sketch_strategy.h"

#include "sched/record.h"

namespace fairlead::sched {
namespace {

bool IsOfOption(const abi::ChoiceRecord& record) {
  return record.next == record.left;
}

}  // namespace

uint32_t SketchStrategy::BeginOf(Tid tid) const noexcept {
  size_t low = 0;
  size_t high = records_.size();
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (Index(records_[middle].left) < Index(tid)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return static_cast<uint32_t>(low);
}

const abi::ChoiceRecord* SketchStrategy::Take(const Point& point,
                                              bool option) noexcept {
  if (point.running == Tid::kNone) return nullptr;
  uint32_t& next = next_[point.running];
  if (next == 0) next = BeginOf(point.running) + 1;
  for (; next - 1 < records_.size(); ++next) {
    const abi::ChoiceRecord& record = records_[next - 1];
    if (record.left != point.running || record.count > point.count) break;
    if (IsOfOption(record) != option) {
      // A switch comes behind the options of its place, and is still ahead.
      if (option) break;
      continue;
    }
    const bool here = record.anchor == SiteId::kNone ||
                      point.site == SiteId::kNone ||
                      record.anchor == point.site;
    if (!here && point.count - record.count < kSlack) return nullptr;
    if (!here) continue;
    // Options count from one place: later they are others.
    if (option && record.count != point.count) continue;
    return &record;
  }
  return nullptr;
}

size_t SketchStrategy::Pick(const Point& point) noexcept {
  const bool option = IsOption(point);
  const abi::ChoiceRecord* record = Take(point, option);
  if (record == nullptr) return option ? 0 : first_.Pick(point);
  if (point.offer) {
    if (record->option != static_cast<uint64_t>(point.enabled[1].object)) {
      return 0;
    }
    ++next_[point.running];
    return 1;
  }
  ++next_[point.running];
  if (option) return record->option < point.enabled.size() ? record->option : 0;
  const size_t picked = Find(point, record->next);
  return picked == kNotEnabled ? first_.Pick(point) : picked;
}

}  // namespace fairlead::sched
