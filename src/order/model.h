// order/model.h
//
// The order model that analyses share, so that every event is ordered once:
// the full order of this execution; the weak order, without locks, which other
// schedules keep; the loose one, also without atomics; the locks that are held;
// and the history of every variable. Consumes an event before the analyses see
// it.

#ifndef FAIRLEAD_ORDER_MODEL_H_
#define FAIRLEAD_ORDER_MODEL_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "order/access_types.h"
#include "order/byte_ranges.h"
#include "order/happens_before.h"
#include "order/history.h"
#include "order/locksets.h"
#include "order/variable_histories.h"
#include "order/variable_states.h"

namespace fairlead::order {

class Model {
 public:
  void OnEvent(const Event& event) {
    type_known_ = false;
    entered_known_ = false;
    if (!variables_.gone().empty()) histories_.Forget(variables_.gone());
    CountInstructions(event);
    variables_.OnEvent(event);
    const AccessKind access = AccessOf(event);
    if (access != AccessKind::kNone && !IsAtomic(event)) {
      full_epoch_ = full_.OnPlainAccess(event);
      weak_epoch_ = weak_.OnPlainAccess(event);
      loose_epoch_ = loose_.OnPlainAccess(event);
      return;
    }
    full_epoch_ = full_.OnEvent(event);
    weak_epoch_ = weak_.OnEvent(event);
    loose_epoch_ = loose_.OnEvent(event);
    if (access != AccessKind::kNone) return;
    if (event.kind == EventKind::kBenign) {
      benign_.Add(event.address, event.value);
    } else if (EndsMemory(event.kind)) {
      benign_.Forget(event.address, event.value);
    }
    locks_before_ = locks_.SetOf(event.tid);
    locks_.OnEvent(event);
  }

  // An access to this byte will come in a while. May be told about kAhead
  // accesses ahead, so that what is known of it is near by then; it makes no
  // other difference. Gives the variable of one that was told before and is
  // near; 0 = not known.
  static constexpr size_t kAhead = 16;
  uint32_t Expect(uint64_t address) {
    variables_.Prefetch(address);
    Expected& now = expected_[num_expected_++ % kAhead];
    now = {address, 0};
    Expected& half = expected_[(num_expected_ + kAhead / 2) % kAhead];
    half.variable = variables_.Guess(half.address);
    if (half.variable != 0) histories_.PrefetchHeader(half.variable);
    const Expected& soon = expected_[(num_expected_ + kAhead / 4) % kAhead];
    if (soon.variable != 0) histories_.PrefetchEntries(soon.variable);
    return half.variable;
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
  // The histories of the variables that it touches, with the access entered.
  // For an access; to be asked for at every one, or at none.
  std::span<const Entered> Enter(const Event& event) {
    if (entered_known_) return entered_;
    entered_known_ = true;
    entered_ = histories_.Enter(
        variables_, TypeOf(event, AccessOf(event)), stamps(event.seq),
        static_cast<uint32_t>(instructions_[abi::Index(event.tid)]));
    return entered_;
  }
  // Of a variable; also of one that ends with this event.
  const History& HistoryOf(uint32_t variable) {
    return histories_.Of(variable);
  }

  // What its thread held before it; meaningful when it is no access.
  LocksetId locks_before() const { return locks_before_; }

 private:
  void CountInstructions(const Event& event) {
    const size_t index = abi::Index(event.tid);
    if (index >= instructions_.size()) instructions_.resize(index + 1);
    instructions_[index] += event.instructions;
  }

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
  bool entered_known_ = false;
  std::span<const Entered> entered_;
  VariableHistories histories_;
  std::vector<uint64_t> instructions_;  // by thread, so far
  struct Expected {
    uint64_t address = 0;
    uint32_t variable = 0;  // 0 = not known
  };
  std::array<Expected, kAhead> expected_;
  size_t num_expected_ = 0;
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_MODEL_H_
