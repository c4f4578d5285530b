#include "runtime/emit/ring.h"

#include "runtime/sys/check.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

// How often a waiting program looks whether its reader is still there.
constexpr timespec kReaderCheck = {.tv_sec = 0, .tv_nsec = 200'000'000};

// A sleeping reader is woken when there is much to read: each time costs as
// much as a thousand events.
constexpr uint64_t kWakesPerRound = 2;

}  // namespace

void Ring::Begin(abi::ControlPage& page, const Settings& settings) {
  CloseRoom();
  page_ = &page;
  plain_ = settings.plain;
  digests_ = settings.digests;
  const uint64_t capacity = page.region(abi::RegionId::kRing).capacity;
  RT_CHECK((capacity & (capacity - 1)) == 0);
  RT_CHECK(capacity >= 4);
  records_ = page.entries<abi::Event>(abi::RegionId::kRing);
  mask_ = capacity - 1;
  batch_mask_ =
      (capacity / 2 < kMostPerBatch ? capacity / 2 : kMostPerBatch) - 1;
  limit_ = capacity;
  head_ = 0;
  wake_at_ = 0;
  BeginDigest(settings.digest);
}

void Ring::Publish() {
  Settle();
  wake_at_ = head_ + (mask_ + 1) / kWakesPerRound;
  abi::RingCursors& cursors = page_->cursors;
  // Pairs with the reader's acquire load of head: the records are whole. It is
  // sequentially consistent because the reader writes reader_sleeps and reads
  // head, while this side does it the other way round.
  __atomic_store_n(&cursors.head, head_, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&cursors.reader_sleeps, __ATOMIC_SEQ_CST) != 0) {
    sys::FutexWake(&cursors.head, 1, 0);
  }
}

void Ring::WaitForRoom() {
  abi::RingCursors& cursors = page_->cursors;
  Publish();
  for (;;) {
    // Pairs with the reader's store: it is done with records below tail.
    uint64_t tail = __atomic_load_n(&cursors.tail, __ATOMIC_SEQ_CST);
    limit_ = tail + mask_ + 1;
    if (head_ != limit_) return;
    ++page_->outcome
          .uncontrolled[static_cast<size_t>(abi::Uncontrolled::kRingWait)];
    __atomic_store_n(&cursors.writer_sleeps, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&cursors.tail, __ATOMIC_SEQ_CST) == tail) {
      sys::FutexWait(&cursors.tail, static_cast<uint32_t>(tail), &kReaderCheck,
                     0);
    }
    __atomic_store_n(&cursors.writer_sleeps, 0, __ATOMIC_SEQ_CST);
    const uint32_t reader = page_->plan.reader_pid;
    if (reader != 0 && !sys::ProcessExists(static_cast<int>(reader))) {
      Log("the process that reads this program's events is gone, so the "
          "program "
          "ends here; start it again with `fairlead run`");
      sys::ExitGroup(abi::kStoppedExitCode);
    }
  }
}

}  // namespace fairlead::rt
