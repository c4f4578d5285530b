#include "explore/run/ring_reader.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "trace/kinds.h"

namespace fairlead::explore {
namespace {

// Records copied at once: they stay in the second-level cache.
constexpr uint64_t kAtOnce = 4096;

// Instructions that touch memory, in all modules together: more than any
// program has.
constexpr uint64_t kMaxSites = uint64_t{1} << 26;

// One more than the last site, or function, of all modules.
uint64_t SitesIn(const ControlMemory& memory) {
  uint64_t end = 1;
  for (const auto& module :
       memory.Copy<abi::ModuleEntry>(abi::RegionId::kModules)) {
    end = std::max({end, uint64_t{module.first_site} + module.num_sites,
                    uint64_t{module.first_function} + module.num_functions});
  }
  return std::min(end, kMaxSites);
}

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
    : memory_(memory),
      cursors_(memory.page().cursors),
      records_(
          static_cast<const abi::Event*>(memory.Begin(abi::RegionId::kRing))),
      capacity_(memory.Capacity(abi::RegionId::kRing)) {}

std::span<const abi::Event> RingReader::Peek() {
  // Pairs with the program's store of head: records below are whole.
  const uint64_t head = __atomic_load_n(&cursors_.head, __ATOMIC_SEQ_CST);
  if (head - tail_ > capacity_) broken_ = true;
  if (broken_) return {};
  const uint64_t first = tail_ % capacity_;
  const uint64_t number = std::min({head - tail_, capacity_ - first, kAtOnce});
  copies_.assign(records_ + first, records_ + first + number);
  for (const abi::Event& record : copies_) {
    if (!Fits(record)) {
      broken_ = true;
      return {};
    }
  }
  return copies_;
}

// Whether a record names what is there. Analyses keep tables by these numbers:
// one that is far off would cost all memory.
bool RingReader::Fits(const abi::Event& record) {
  const auto fits = [&] {
    const bool instrumented = (record.flags & abi::kFlagInstrumented) != 0;
    return record.site < (instrumented ? limits_.sites : limits_.callers) &&
           record.node < limits_.nodes;
  };
  if (fits()) return true;
  // More may be there by now; an entry is there before what names it.
  limits_ = {.sites = SitesIn(memory_),
             .callers = memory_.Used(abi::RegionId::kCallers) + 1,
             .nodes = memory_.Used(abi::RegionId::kNodes) + 1};
  // Extensions use these fields for other things.
  return fits() || trace::GroupOf(record.kind) == abi::EventGroup::kExtension;
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
  return {&cursors_.head, static_cast<uint32_t>(head),
          head != tail_ && !broken_};
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
