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
#include "order/orders.h"
#include "order/variable_histories.h"
#include "order/variable_states.h"

namespace fairlead::order {

class Model {
 public:
  // Takes its orders from those of the stream, so that what others ask for as
  // well is computed once. Before the first event; without it they are its own.
  void Share(Orders& orders) {
    full_ = orders.Of(kFullOrder);
    weak_ = orders.Of(kWithoutLocks);
    loose_ = orders.Of(kWithoutMemory);
  }

  void OnEvent(const Event& event) {
    type_known_ = false;
    entered_known_ = false;
    if (!variables_.gone().empty()) histories_.Forget(variables_.gone());
    kind_ = AccessOf(event);
    const size_t index = abi::Index(event.tid);
    if (index >= threads_.size()) threads_.resize(index + 1);
    thread_ = &threads_[index];
    thread_->instructions += event.instructions;
    if (kind_ == AccessKind::kNone) {
      OnOther(event);
      return;
    }
    variables_.OnAccess(event);
    if (IsAtomic(event)) {
      Order(event);
      return;
    }
    // Nothing but its own other events changes the segments of a thread.
    if (!thread_->known) Look(event.tid);
    full_epoch_ = thread_->full;
    weak_epoch_ = weak_->OnPlainAccess(event, kind_);
    loose_epoch_ = thread_->loose;
  }

  // This thread will access this byte in a while. May be told about kAhead
  // accesses ahead, so that what is known of it is near by then; it makes no
  // other difference. What leads there is fetched in steps: the cell, the
  // history's header, its types, the thread's own entries. Gives the variable
  // of one that was told before and is near; 0 = not known.
  static constexpr size_t kAhead = 16;
  uint32_t Expect(uint64_t address, Tid tid) {
    const size_t now = num_expected_++;
    const auto told = [&](size_t before) -> Expected& {
      return expected_[(now - before) % kAhead];
    };
    // What is read and then written is fetched once.
    const bool again = told(1).tid == tid &&
                       told(1).address / kCellBytes == address / kCellBytes;
    told(0) = {address, 0, tid, again};
    if (!again) variables_.Prefetch(address);
    Expected& half = told(kAhead / 4);
    if (!half.again) half.variable = variables_.Guess(half.address);
    if (half.variable != 0) histories_.PrefetchHeader(half.variable);
    const Expected& soon = told(kAhead / 2);
    if (soon.variable != 0) histories_.PrefetchTypes(soon.variable);
    const Expected& next = told(kAhead * 3 / 4);
    if (next.variable != 0) histories_.PrefetchOwn(next.variable, next.tid);
    return half.variable;
  }

  // After the event.
  HappensBefore& full() { return full_->order(); }
  HappensBefore& weak() { return weak_->order(); }
  HappensBefore& loose() { return loose_->order(); }
  Locksets& locks() { return locks_; }
  AccessTypes& types() { return types_; }
  // That the event touches.
  const VariableNumbers& variables() const { return variables_; }

  // Whether the program says that accesses to this byte are meant to race.
  bool IsBenign(uint64_t address) const { return benign_.Has(address); }

  // What the event does to memory.
  AccessKind kind() const { return kind_; }
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
  // Whether the event's thread has done nothing but access memory since, so
  // that it holds what it held.
  bool QuietSince(uint64_t seq) const { return seq > thread_->busy; }
  // The histories of the variables that it touches, with the access entered.
  // For an access; to be asked for at every one, or at none.
  std::span<const Entered> Enter(const Event& event) {
    if (entered_known_) return entered_;
    entered_known_ = true;
    entered_ =
        histories_.Enter(variables_, TypeOf(event, kind_), stamps(event.seq),
                         static_cast<uint32_t>(thread_->instructions));
    return entered_;
  }
  // Of a variable; also of one that ends with this event.
  const History& HistoryOf(uint32_t variable) {
    return histories_.Of(variable);
  }

  // What its thread held before it; meaningful when it is no access.
  LocksetId locks_before() const { return locks_before_; }

 private:
  struct Thread {
    uint64_t instructions = 0;  // so far
    uint64_t busy = 0;          // its last event that was no access
    bool known = false;         // whether the rest is up to date
    Epoch full;
    Epoch loose;
  };

  void Order(const Event& event) {
    thread_->known = false;
    full_epoch_ = full_->OnEvent(event);
    weak_epoch_ = weak_->OnEvent(event);
    loose_epoch_ = loose_->OnEvent(event);
  }
  void OnOther(const Event& event);
  void Look(Tid tid) {
    thread_->full = full().EpochOf(tid);
    thread_->loose = loose().EpochOf(tid);
    thread_->known = true;
  }

  // Never null.
  std::shared_ptr<SharedOrder> full_ =
      std::make_shared<SharedOrder>(kFullOrder);
  std::shared_ptr<SharedOrder> weak_ =
      std::make_shared<SharedOrder>(kWithoutLocks);
  std::shared_ptr<SharedOrder> loose_ =
      std::make_shared<SharedOrder>(kWithoutMemory);
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
  std::vector<Thread> threads_;  // by Tid
  Thread* thread_ = nullptr;     // of the event
  AccessKind kind_ = AccessKind::kNone;
  struct Expected {
    uint64_t address = 0;
    uint32_t variable = 0;  // 0 = not known
    Tid tid = Tid::kNone;
    bool again = false;  // the one before it was to the same cell
  };
  std::array<Expected, kAhead> expected_;
  size_t num_expected_ = 0;
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_MODEL_H_
