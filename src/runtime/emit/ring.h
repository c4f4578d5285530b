// runtime/emit/ring.h
//
// The writer's end of the event ring (abi/control.h). Publishes in batches of
// 64 records: one shared cache line per batch instead of one per event. A full
// ring makes the program wait: no event is ever lost. If the reader has died,
// the process ends, since nobody would ever make room.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_EMIT_RING_H_
#define FAIRLEAD_RUNTIME_EMIT_RING_H_

#include <stdint.h>

#include "abi/control.h"
#include "abi/event.h"

namespace fairlead::rt {

class Ring {
 public:
  void Begin(abi::ControlPage& page);

  // Room for one record, to be filled and committed before the next call.
  abi::Event& Next() {
    if (head_ == limit_) [[unlikely]]
      WaitForRoom();
    return records_[head_ & mask_];
  }
  void Commit() {
    if ((++head_ & (kBatch - 1)) == 0) PublishBatch();
  }
  // Makes all records readable and wakes the reader.
  void Publish();

 private:
  static constexpr uint64_t kBatch = 64;

  void PublishBatch() {
    // Pairs with the reader's acquire load of head: the records are whole.
    __atomic_store_n(&page_->cursors.head, head_, __ATOMIC_RELEASE);
    if (head_ >= wake_at_) [[unlikely]]
      Publish();
  }
  void WaitForRoom();

  abi::Event* records_ = nullptr;
  uint64_t mask_ = 0;
  uint64_t head_ = 0;     // records written
  uint64_t wake_at_ = 0;  // records after which a sleeping reader is woken
  uint64_t limit_ = 0;  // records that may be written: the tail last seen, plus
                        // the capacity
  abi::ControlPage* page_ = nullptr;
};

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_EMIT_RING_H_
