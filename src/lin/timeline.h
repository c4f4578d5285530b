// lin/timeline.h
//
// A history prepared for searching: the ends of operations in the order of
// time, and for each of them which operations are under way then. Operations
// have slots, bits of a mask; a slot is used again once its operation has
// ended. Those that never end come first and keep theirs.

#ifndef FAIRLEAD_LIN_TIMELINE_H_
#define FAIRLEAD_LIN_TIMELINE_H_

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "lin/operation.h"

namespace fairlead::lin {

class Timeline {
 public:
  // `urgent` is Model::UrgentBefore.
  Timeline(const History& history,
           const std::function<uint64_t(const Operation&)>& urgent);

  size_t num_ends() const { return ends_.size(); }
  // The operation that ends there.
  uint32_t EndAt(size_t end) const { return ends_[end]; }
  // Operations that end at all and are under way at this end, the most urgent
  // first, then by their own ends: the one that ends there before others.
  std::span<const uint32_t> OpenAt(size_t end) const {
    return std::span(open_).subspan(first_open_[end],
                                    first_open_[end + 1] - first_open_[end]);
  }
  // Operations without an end that have begun by then, by their begin.
  std::span<const uint32_t> EndlessAt(size_t end) const {
    return std::span(endless_).first(num_endless_[end]);
  }
  // The operation without an end before this one that asks the same; it is
  // `operation` itself if there is none.
  uint32_t TwinOf(uint32_t operation) const { return twin_[operation]; }

  uint32_t SlotOf(uint32_t operation) const { return slots_[operation]; }
  size_t num_slots() const { return num_slots_; }

 private:
  struct Moment {
    uint64_t when;
    uint32_t operation;
    bool is_end;
  };
  std::vector<Moment> MomentsOf(const History& history) const;
  void FindEndless(const History& history);
  void Walk(const History& history, const std::vector<uint64_t>& urgent);

  std::vector<uint32_t> ends_;
  std::vector<uint32_t> open_;       // of all ends, one after the other
  std::vector<size_t> first_open_;   // by end; one more at the end
  std::vector<uint32_t> endless_;    // by begin
  std::vector<size_t> num_endless_;  // by end
  std::vector<uint32_t> twin_;       // by operation
  std::vector<uint32_t> slots_;      // by operation
  size_t num_slots_ = 0;
};

}  // namespace fairlead::lin

#endif  // FAIRLEAD_LIN_TIMELINE_H_
