// sched/thread_table.h
//
// A value for each thread, found by its number. Entries are made when they are
// first asked for, so that a table for thousands of threads costs nothing in an
// execution that has two.
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_THREAD_TABLE_H_
#define FAIRLEAD_SCHED_THREAD_TABLE_H_

#include <stddef.h>

#include <type_traits>

#include "sched/strategy.h"

namespace fairlead::sched {

template <typename T>
class ThreadTable {
  static_assert(std::is_trivially_default_constructible_v<T>);

 public:
  ThreadTable() {}  // leaves entries_ as it is: its pages stay untouched

  void Clear() noexcept { num_seen_ = 0; }

  // The entry of `tid`; T() when it is asked for the first time.
  T& operator[](Tid tid) noexcept {
    while (num_seen_ <= Index(tid)) entries_[num_seen_++] = T();
    return entries_[Index(tid)];
  }

 private:
  size_t num_seen_ = 0;  // of entries_: the rest has not been written yet
  T entries_[kMaxThreads];
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_THREAD_TABLE_H_
