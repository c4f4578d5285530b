#include "explore/ring_reader.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

namespace fairlead::explore {
namespace {

// The futex word is the low half of a cursor; shared between processes.
void FutexWait(uint64_t* word, uint64_t seen, std::chrono::milliseconds limit) {
  const timespec timeout = {.tv_sec = limit.count() / 1000,
                            .tv_nsec = limit.count() % 1000 * 1'000'000};
  syscall(SYS_futex, word, FUTEX_WAIT, static_cast<uint32_t>(seen), &timeout,
          nullptr, 0);
}

void FutexWake(uint64_t* word) {
  syscall(SYS_futex, word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

}  // namespace

RingReader::RingReader(const ControlMemory& memory)
    : cursors_(memory.page().cursors),
      records_(memory.page().entries<abi::Event>(abi::RegionId::kRing)),
      capacity_(abi::kDefaultCapacity[0]) {}

std::span<const abi::Event> RingReader::Peek() const {
  // Pairs with the program's store of head: records below are whole.
  const uint64_t head = __atomic_load_n(&cursors_.head, __ATOMIC_SEQ_CST);
  const uint64_t first = tail_ % capacity_;
  // A head that makes no sense (the page is untrusted) gives at most the ring.
  const uint64_t number =
      std::min({head - tail_, capacity_ - first, capacity_});
  return {records_ + first, number};
}

void RingReader::Release(size_t number) {
  tail_ += number;
  // Pairs with the program's load of tail: we are done with records below. It
  // is sequentially consistent because the program writes writer_sleeps and
  // reads tail, while this side does it the other way round.
  __atomic_store_n(&cursors_.tail, tail_, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&cursors_.writer_sleeps, __ATOMIC_SEQ_CST) != 0) {
    FutexWake(&cursors_.tail);
  }
}

RingReader::Bell RingReader::BeginWait() {
  __atomic_store_n(&cursors_.reader_sleeps, 1, __ATOMIC_SEQ_CST);
  const uint64_t head = __atomic_load_n(&cursors_.head, __ATOMIC_SEQ_CST);
  return {&cursors_.head, static_cast<uint32_t>(head), head != tail_};
}

void RingReader::EndWait() {
  __atomic_store_n(&cursors_.reader_sleeps, 0, __ATOMIC_SEQ_CST);
}

void RingReader::Wait(std::chrono::milliseconds limit) {
  const Bell bell = BeginWait();
  if (!bell.ready) FutexWait(&cursors_.head, bell.value, limit);
  EndWait();
}

}  // namespace fairlead::explore
