#include "lin/timeline.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace fairlead::lin {

Timeline::Timeline(const History& history,
                   const std::function<uint64_t(const Operation&)>& urgent)
    : twin_(history.size()), slots_(history.size()) {
  FindEndless(history);
  std::vector<uint64_t> urgent_by_operation;
  for (const Operation& each : history) {
    urgent_by_operation.push_back(urgent(each));
  }
  Walk(history, urgent_by_operation);
}

void Timeline::FindEndless(const History& history) {
  for (uint32_t i = 0; i < history.size(); ++i) {
    if (history[i].end == kNever) endless_.push_back(i);
  }
  std::ranges::sort(endless_, {}, [&history](uint32_t i) {
    return std::pair(history[i].begin, i);
  });
  std::map<std::tuple<Call, ValueId, ValueId, ValueId>, uint32_t> last;
  for (const uint32_t i : endless_) {
    const Operation& operation = history[i];
    const auto [at, is_first] =
        last.try_emplace({operation.call, operation.argument, operation.second,
                          operation.result},
                         i);
    twin_[i] = is_first ? i : at->second;
    at->second = i;
    slots_[i] = static_cast<uint32_t>(num_slots_++);
  }
}

std::vector<Timeline::Moment> Timeline::MomentsOf(
    const History& history) const {
  std::vector<Moment> moments;
  moments.reserve(history.size() * 2);
  for (uint32_t i = 0; i < history.size(); ++i) {
    moments.push_back({history[i].begin, i, false});
    if (history[i].end != kNever) moments.push_back({history[i].end, i, true});
  }
  // What begins at the moment at which another ends overlaps it.
  std::ranges::sort(moments, [](const Moment& a, const Moment& b) {
    return std::tie(a.when, a.is_end, a.operation) <
           std::tie(b.when, b.is_end, b.operation);
  });
  return moments;
}

void Timeline::Walk(const History& history,
                    const std::vector<uint64_t>& urgent) {
  const auto first = [&](uint32_t a, uint32_t b) {
    return std::tie(urgent[a], history[a].end, a) <
           std::tie(urgent[b], history[b].end, b);
  };
  std::set<uint32_t, decltype(first)> open(first);
  std::vector<uint32_t> free_slots;
  size_t num_endless = 0;
  for (const Moment& moment : MomentsOf(history)) {
    const uint32_t i = moment.operation;
    if (!moment.is_end && history[i].end == kNever) {
      ++num_endless;
    } else if (!moment.is_end) {
      open.insert(i);
      if (free_slots.empty()) {
        free_slots.push_back(static_cast<uint32_t>(num_slots_++));
      }
      slots_[i] = free_slots.back();
      free_slots.pop_back();
    } else {
      ends_.push_back(i);
      first_open_.push_back(open_.size());
      num_endless_.push_back(num_endless);
      open_.insert(open_.end(), open.begin(), open.end());
      open.erase(i);
      free_slots.push_back(slots_[i]);
    }
  }
  first_open_.push_back(open_.size());
}

}  // namespace fairlead::lin
