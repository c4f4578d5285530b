// order/model.h
//
// The order model that analyses share, so that every event is ordered once:
// the full order of this execution; the weak order, without locks, which other
// schedules keep; the loose one, also without atomics; and the locks that are
// held. Consumes an event before the
// analyses see it.

#ifndef FAIRLEAD_ORDER_MODEL_H_
#define FAIRLEAD_ORDER_MODEL_H_

#include "order/happens_before.h"
#include "order/locksets.h"

namespace fairlead::order {

class Model {
 public:
  void OnEvent(const Event& event) {
    full_epoch_ = full_.OnEvent(event);
    weak_epoch_ = weak_.OnEvent(event);
    loose_epoch_ = loose_.OnEvent(event);
    if (AccessOf(event) != AccessKind::kNone) return;
    locks_before_ = locks_.SetOf(event.tid);
    locks_.OnEvent(event);
  }

  // After the event.
  HappensBefore& full() { return full_; }
  HappensBefore& weak() { return weak_; }
  HappensBefore& loose() { return loose_; }
  Locksets& locks() { return locks_; }

  // Stamps of the event.
  Epoch full_epoch() const { return full_epoch_; }
  Epoch weak_epoch() const { return weak_epoch_; }
  Epoch loose_epoch() const { return loose_epoch_; }
  // What its thread held before it; meaningful when it is no access.
  LocksetId locks_before() const { return locks_before_; }

 private:
  HappensBefore full_ = HappensBefore(kFullOrder);
  HappensBefore weak_ = HappensBefore(kWithoutLocks);
  HappensBefore loose_ = HappensBefore(kWithoutMemory);
  Locksets locks_;
  Epoch full_epoch_;
  Epoch weak_epoch_;
  Epoch loose_epoch_;
  LocksetId locks_before_ = LocksetId::kEmpty;
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_MODEL_H_
