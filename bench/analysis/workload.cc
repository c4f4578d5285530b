#include "bench/analysis/workload.h"

namespace fairlead::bench {
namespace {

using abi::EventKind;

constexpr uint64_t kHeap = 0x200000000000;
constexpr uint64_t kLockBase = 0x5500'0000'0000;
constexpr uint64_t kStacks = 0x2100'0000'0000;
constexpr uint64_t kAtomics = 0x5500'0010'0000;
constexpr uint64_t kSemaphores = 0x5500'0020'0000;
constexpr uint64_t kChurn = 0x3000'0000'0000;

}  // namespace

// xorshift: fast, and good enough to spread accesses.
uint64_t Workload::Next() {
  state_ ^= state_ << 13;
  state_ ^= state_ >> 7;
  state_ ^= state_ << 17;
  return state_;
}

abi::Event& Workload::Add(EventKind kind, uint32_t site, uint64_t address) {
  abi::Event event = {};
  event.thread = thread_;
  event.flags = abi::kFlagInstrumented | abi::kFlagPoint;
  event.kind = kind;
  event.instructions = 3;
  event.site = site;
  event.address = address;
  records_->push_back(event);
  return records_->back();
}

void Workload::Access(EventKind kind, uint32_t site, uint64_t address,
                      uint64_t value) {
  abi::Event& event = Add(kind, site, address);
  event.size = 8;
  event.value = value;
}

void Workload::Start() {
  thread_ = 0;
  for (uint16_t i = 1; i < kThreads; ++i) Add(EventKind::kFork, 1, 0).value = i;
  for (uint16_t i = 1; i < kThreads; ++i) {
    thread_ = i;
    Add(EventKind::kBegin, 1, 0);
  }
}

// Five fields of two records, read and written.
void Workload::UpdateUnderLock() {
  const uint64_t lock = Next() % kLocks;
  Add(EventKind::kLock, 10, kLockBase + lock * 64);
  for (int i = 0; i < 2; ++i) {
    const uint64_t record =
        kHeap + (lock * kRecordsPerLock + Next() % kRecordsPerLock) * 64;
    for (uint32_t field = 0; field < 5; ++field) {
      Access(EventKind::kRead, 20 + field, record + field * 8, counter_);
      Access(EventKind::kWrite, 30 + field, record + field * 8, ++counter_);
    }
  }
  Add(EventKind::kUnlock, 11, kLockBase + lock * 64);
}

// A loop over a buffer on the stack.
void Workload::OwnMemory() {
  const uint64_t base = kStacks + thread_ * 0x100000 + (Next() % 128) * 64;
  for (uint32_t i = 0; i < 16; ++i) {
    Access(EventKind::kRead, 40, base + (i % 8) * 8, counter_);
    Access(EventKind::kWrite, 41, base + (i % 8) * 8, ++counter_);
  }
}

void Workload::Publish() {
  const uint64_t cell = kAtomics + (Next() % 32) * 64;
  abi::Event& load = Add(EventKind::kAtomicLoad, 50, cell);
  load.size = 8;
  load.flags |= 4;  // acquire
  abi::Event& store = Add(EventKind::kAtomicStore, 51, cell);
  store.size = 8;
  store.flags |= 5;  // release
  store.value = ++counter_;
}

// A block that its thread fills and frees.
void Workload::AllocateAndFree() {
  const uint64_t block = kChurn + thread_ * 0x10000 + (Next() % 64) * 256;
  Add(EventKind::kAlloc, 60, block).value = 128;
  for (uint32_t i = 0; i < 8; ++i) {
    Access(EventKind::kWrite, 61, block + i * 8, ++counter_);
  }
  Add(EventKind::kFree, 62, block).value = 128;
}

void Workload::Meet() {
  const uint64_t semaphore = kSemaphores + (Next() % 8) * 64;
  Add(EventKind::kSemPost, 70, semaphore);
  thread_ = static_cast<uint16_t>(Next() % kThreads);
  Add(EventKind::kSemWait, 71, semaphore).flags |= abi::kFlagSuccess;
}

void Workload::Fill(std::vector<abi::Event>& records, size_t num_records) {
  records_ = &records;
  if (!started_) Start();
  started_ = true;
  while (records.size() < num_records) {
    thread_ = static_cast<uint16_t>(Next() % kThreads);
    const uint64_t what = Next() % 100;
    if (what < 45) {
      UpdateUnderLock();
    } else if (what < 85) {
      OwnMemory();
    } else if (what < 92) {
      Publish();
    } else if (what < 98) {
      AllocateAndFree();
    } else {
      Meet();
    }
  }
}

}  // namespace fairlead::bench
