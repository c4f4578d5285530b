// analysis/iroot/segments.h
//
// When a touch was, for the profiler. A segment is a stretch of a thread in
// which the thread learnt nothing of others, in the weak order (without locks)
// and in the loose one (also without atomics); a moment is where in it.
// Segments are shared by those who speak of them, and go when nobody does.

#ifndef FAIRLEAD_ANALYSIS_IROOT_SEGMENTS_H_
#define FAIRLEAD_ANALYSIS_IROOT_SEGMENTS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "order/orders.h"

namespace fairlead::analysis::iroot {

using order::Tid;

struct Segment {
  Tid tid = Tid::kNone;
  std::shared_ptr<const order::VectorClock> weak;
  std::shared_ptr<const order::VectorClock> loose;
};

struct Moment {
  std::shared_ptr<const Segment> segment;  // never null once set
  // Numbers of the thread's own parts; they begin where it gave something away.
  uint64_t weak = 0;
  uint64_t loose = 0;
  bool operator==(const Moment&) const = default;
};

// Whether `early` is ordered before `late`, which comes later in the execution
// and is of another thread. Between two atomics, atomics order nothing.
inline bool Before(const Moment& early, const Moment& late, bool both_atomic) {
  const Tid tid = early.segment->tid;
  return both_atomic ? late.segment->loose->Of(tid) >= early.loose
                     : late.segment->weak->Of(tid) >= early.weak;
}

class Segments {
 public:
  // As order::Model::Share.
  void Share(order::Orders& orders) {
    weak_ = orders.Of(order::kWithoutLocks);
    loose_ = orders.Of(order::kWithoutMemory);
  }

  // Consumes the next event, before anybody asks about it.
  void OnEvent(const trace::Event& event) {
    weak_number_ = weak_->OnEvent(event).number();
    loose_number_ = loose_->OnEvent(event).number();
  }

  // Puts the moment of the event at hand, of thread `tid`, into `moment`.
  void Now(Tid tid, Moment& moment) {
    const size_t index = abi::Index(tid);
    if (index >= current_.size()) current_.resize(index + 1);
    std::shared_ptr<const Segment>& current = current_[index];
    if (current == nullptr ||
        current->weak.get() != weak().KnownSnapshotOf(tid) ||
        current->loose.get() != loose().KnownSnapshotOf(tid)) {
      current = std::make_shared<const Segment>(
          Segment{tid, weak().SnapshotOf(tid), loose().SnapshotOf(tid)});
    }
    if (moment.segment != current) moment.segment = current;
    moment.weak = weak_number_;
    moment.loose = loose_number_;
  }

  // Whether each of these threads knows that this moment is over.
  bool PassedBy(const Moment& moment, const std::vector<Tid>& threads,
                bool atomic) {
    const Tid own = moment.segment->tid;
    for (const Tid tid : threads) {
      if (tid == own) continue;
      const bool knows = atomic ? loose().ClockOf(tid).Of(own) >= moment.loose
                                : weak().ClockOf(tid).Of(own) >= moment.weak;
      if (!knows) return false;
    }
    return true;
  }

 private:
  order::HappensBefore& weak() { return weak_->order(); }
  order::HappensBefore& loose() { return loose_->order(); }

  // Never null.
  std::shared_ptr<order::SharedOrder> weak_ =
      std::make_shared<order::SharedOrder>(order::kWithoutLocks);
  std::shared_ptr<order::SharedOrder> loose_ =
      std::make_shared<order::SharedOrder>(order::kWithoutMemory);
  uint64_t weak_number_ = 0;
  uint64_t loose_number_ = 0;
  std::vector<std::shared_ptr<const Segment>> current_;  // by thread
};

}  // namespace fairlead::analysis::iroot

#endif  // FAIRLEAD_ANALYSIS_IROOT_SEGMENTS_H_
