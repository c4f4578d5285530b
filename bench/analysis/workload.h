// A made-up program as a stream of records, as long as one likes: threads that
// update records under locks, use memory of their own, publish through atomics,
// allocate and free, and meet at semaphores. Its live memory does not grow, so
// neither may that of what reads it. No two accesses race.

#ifndef FAIRLEAD_BENCH_ANALYSIS_WORKLOAD_H_
#define FAIRLEAD_BENCH_ANALYSIS_WORKLOAD_H_

#include <cstdint>
#include <vector>

#include "abi/event.h"

namespace fairlead::bench {

class Workload {
 public:
  static constexpr uint16_t kThreads = 8;
  static constexpr uint64_t kLocks = 64;
  static constexpr uint64_t kRecordsPerLock = 64;  // of 64 bytes

  explicit Workload(uint64_t seed) : state_(seed) {}

  // Adds about `num_records` records; an event is never cut.
  void Fill(std::vector<abi::Event>& records, size_t num_records);

 private:
  uint64_t Next();
  abi::Event& Add(abi::EventKind kind, uint32_t site, uint64_t address);
  void Access(abi::EventKind kind, uint32_t site, uint64_t address,
              uint64_t value);
  void UpdateUnderLock();
  void OwnMemory();
  void Publish();
  void AllocateAndFree();
  void Meet();
  void Start();

  uint64_t state_;
  bool started_ = false;
  uint16_t thread_ = 0;
  uint64_t counter_ = 0;
  std::vector<abi::Event>* records_ = nullptr;
};

}  // namespace fairlead::bench

#endif  // FAIRLEAD_BENCH_ANALYSIS_WORKLOAD_H_
