// order/model.h
//
// The order model that analyses share, so that every event is ordered once:
// the full order of this execution; the weak order, without locks, which other
// schedules keep; the loose one, also without atomics; and the locks that are
// held. Consumes an event before the
// analyses see it.

#ifndef FAIRLEAD_ORDER_MODEL_H_
#define FAIRLEAD_ORDER_MODEL_H_

#include "order/access_types.h"
#include "order/byte_ranges.h"
#include "order/happens_before.h"
#include "order/history.h"
#include "order/locksets.h"
#include "order/variable_states.h"

namespace fairlead::order {

class Model {
 public:
  void OnEvent(const Event& event) {
    type_known_ = false;
    full_epoch_ = full_.OnEvent(event);
    weak_epoch_ = weak_.OnEvent(event);
    loose_epoch_ = loose_.OnEvent(event);
    variables_.OnEvent(event);
    if (AccessOf(event) != AccessKind::kNone) return;
    if (event.kind == EventKind::kBenign) {
      benign_.Add(event.address, event.value);
    } else if (EndsMemory(event.kind)) {
      benign_.Forget(event.address, event.value);
    }
    locks_before_ = locks_.SetOf(event.tid);
    locks_.OnEvent(event);
  }

  // After the event.
  HappensBefore& full() { return full_; }
  HappensBefore& weak() { return weak_; }
  HappensBefore& loose() { return loose_; }
  Locksets& locks() { return locks_; }
  AccessTypes& types() { return types_; }
  // That the event touches.
  const VariableNumbers& variables() const { return variables_; }

  // Whether the program says that accesses to this byte are meant to race.
  bool IsBenign(uint64_t address) const { return benign_.Has(address); }

  // Stamps of the event.
  Epoch full_epoch() const { return full_epoch_; }
  Epoch weak_epoch() const { return weak_epoch_; }
  Epoch loose_epoch() const { return loose_epoch_; }
  Stamps stamps(uint64_t seq) const {
    return {seq, static_cast<uint32_t>(weak_epoch_.number()),
            static_cast<uint32_t>(loose_epoch_.number())};
  }
  // The type of this event, which counts as an access of this kind.
  TypeId TypeOf(const Event& event, AccessKind kind) {
    if (type_known_) return type_;
    type_known_ = true;
    type_ = types_.Of(event, kind, locks_);
    return type_;
  }
  // What its thread held before it; meaningful when it is no access.
  LocksetId locks_before() const { return locks_before_; }

 private:
  HappensBefore full_ = HappensBefore(kFullOrder);
  HappensBefore weak_ = HappensBefore(kWithoutLocks);
  HappensBefore loose_ = HappensBefore(kWithoutMemory);
  Locksets locks_;
  AccessTypes types_;
  VariableNumbers variables_;
  ByteRanges benign_;
  Epoch full_epoch_;
  Epoch weak_epoch_;
  Epoch loose_epoch_;
  LocksetId locks_before_ = LocksetId::kEmpty;
  bool type_known_ = false;
  TypeId type_ = {};
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_MODEL_H_
