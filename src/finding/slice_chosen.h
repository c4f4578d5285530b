// finding/slice_chosen.h
//
// The events that finding/slice_for.h has chosen so far, by index into the
// trace, with the room that is left. Whoever chooses first gets the room.

#ifndef FAIRLEAD_FINDING_SLICE_CHOSEN_H_
#define FAIRLEAD_FINDING_SLICE_CHOSEN_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "finding/slice_index.h"
#include "trace/trace.h"

namespace fairlead::finding {

class Chosen {
 public:
  // `whole` must outlive this.
  Chosen(const trace::Trace& whole, size_t max_events)
      : events_(whole.events), index_(whole), max_events_(max_events) {}

  // False: there is no room for it. Of one call into a library one access is
  // enough, so the others count as taken with it.
  bool Take(size_t index) {
    if (all_.contains(index)) return true;
    const uint32_t call = index_.CallOf(index);
    if (call != 0 && calls_.contains(call)) return true;
    if (room() == 0) return false;
    Add(index);
    if (call != 0) calls_.insert(call);
    return true;
  }

  // Takes it even if there is no room, or a part of its call is taken.
  void Force(size_t index) { Add(index); }

  const std::vector<trace::Event>& events() const { return events_; }
  const SliceIndex& index() const { return index_; }
  const std::set<size_t>& all() const { return all_; }
  // The same in the order in which they were chosen: the most telling first.
  const std::vector<size_t>& by_weight() const { return by_weight_; }
  size_t size() const { return all_.size(); }
  size_t room() const {
    return max_events_ - std::min(max_events_, all_.size());
  }

 private:
  void Add(size_t index) {
    if (all_.insert(index).second) by_weight_.push_back(index);
  }

  const std::vector<trace::Event>& events_;
  SliceIndex index_;
  size_t max_events_;
  std::set<size_t> all_;  // more than `max_events_` only by force
  std::vector<size_t> by_weight_;
  std::set<uint32_t> calls_;  // into libraries, of those
};

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_SLICE_CHOSEN_H_
