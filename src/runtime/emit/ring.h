// runtime/emit/ring.h
//
// The writer's end of the event ring (abi/control.h). Publishes in batches of
// 256 records (of half the ring, if that is less): one shared cache line per
// batch instead of one per event, and one loop for the digest of a batch. A
// full ring makes the program wait: no event is ever lost. If the reader has
// died, the process ends, since nobody would ever make room.
//
//   Next() = record, Commit(slot)
//
// Behind a record there is *room* up to the last record of its batch, which the
// thread that wrote it fills itself with plain events (abi/hooks.h): the room
// belongs to that thread's slot until another record is written.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_EMIT_RING_H_
#define FAIRLEAD_RUNTIME_EMIT_RING_H_

#include <stdint.h>

#include "abi/control.h"
#include "abi/event.h"
#include "abi/hooks.h"
#include "runtime/emit/digest.h"

namespace fairlead::rt {

class Ring {
 public:
  struct Settings {
    bool plain;    // false: there is never any room
    bool digests;  // keep a digest, which goes on from `digest`
    uint64_t digest;
  };
  void Begin(abi::ControlPage& page, const Settings& settings);

  // Room for one record, to be filled and committed before the next call.
  abi::Event& Next() {
    Settle();
    if (head_ == limit_) [[unlikely]]
      WaitForRoom();
    return records_[head_ & mask_];
  }
  void Commit(abi::ThreadSlot& slot) {
    if ((++head_ & batch_mask_) == 0) PublishBatch();
    OpenRoom(slot);
  }

  // Records that programs have written themselves, ever.
  uint64_t num_plain() const { return num_plain_ + Taken(); }
  // The site of the last of them, if it stands behind all others and `slot` has
  // written it; else 0.
  uint32_t LastPlainSite(const abi::ThreadSlot& slot) const {
    return owner_ == &slot && Taken() != 0 ? owner_->told[-1].site : 0;
  }
  void CloseRoom() {
    Settle();
    if (owner_ != nullptr) owner_->told = owner_->told_end = nullptr;
    owner_ = nullptr;
  }

  // Makes all records readable and wakes the reader.
  void Publish();

  // Of all records since BeginDigest, or of those before Begin too; 0 if none
  // is kept.
  uint64_t digest() {
    Settle();
    if (!digests_) return 0;
    AddToDigest();
    return digest_;
  }
  void BeginDigest(uint64_t from) {
    Settle();
    digest_ = from;
    digested_ = head_;
  }

 private:
  static constexpr uint64_t kMostPerBatch = 256;

  uint64_t Taken() const {
    return owner_ == nullptr
               ? 0
               : static_cast<uint64_t>(owner_->told - room_begin_);
  }
  // Counts what has been written into the room among the others.
  void Settle() {
    if (owner_ == nullptr) return;
    const uint64_t taken = Taken();
    num_plain_ += taken;
    head_ += taken;
    room_begin_ = owner_->told;
  }
  void OpenRoom(abi::ThreadSlot& slot) {
    if (!plain_) return;
    if (owner_ != &slot) {
      if (owner_ != nullptr) owner_->told = owner_->told_end = nullptr;
      owner_ = &slot;
    }
    const uint64_t last = head_ | batch_mask_;
    const uint64_t end = last < limit_ ? last : limit_;
    room_begin_ = slot.told = &records_[head_ & mask_];
    slot.told_end = room_begin_ + (end - head_);
  }
  void AddToDigest() {
    uint64_t digest = digest_;
    for (; digested_ != head_; ++digested_) {
      digest = FoldRecord(digest, records_[digested_ & mask_]);
    }
    digest_ = digest;
  }
  void PublishBatch() {
    if (digests_) AddToDigest();
    // Pairs with the reader's acquire load of head: the records are whole.
    __atomic_store_n(&page_->cursors.head, head_, __ATOMIC_RELEASE);
    if (head_ >= wake_at_) [[unlikely]]
      Publish();
  }
  void WaitForRoom();

  abi::ThreadSlot* owner_ = nullptr;  // of the room; null = there is none
  abi::Event* room_begin_ = nullptr;  // what lies before it is in head_
  abi::Event* records_ = nullptr;
  uint64_t mask_ = 0;
  uint64_t batch_mask_ = 0;
  uint64_t head_ = 0;     // records written
  uint64_t wake_at_ = 0;  // records after which a sleeping reader is woken
  uint64_t limit_ = 0;  // records that may be written: the tail last seen, plus
                        // the capacity
  uint64_t num_plain_ = 0;
  uint64_t digest_ = 0;
  uint64_t digested_ = 0;  // records that digest_ has
  bool plain_ = false;
  bool digests_ = false;
  abi::ControlPage* page_ = nullptr;
};

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_EMIT_RING_H_
