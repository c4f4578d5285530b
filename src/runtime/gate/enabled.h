// runtime/gate/enabled.h
//
// The threads that could move now, ordered by number, in the very form that a
// strategy is shown. Kept up to date as threads come and go, so that a point
// where nobody does costs one store.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_GATE_ENABLED_H_
#define FAIRLEAD_RUNTIME_GATE_ENABLED_H_

#include <span>

#include "runtime/thread/thread.h"
#include "sched/strategy.h"

namespace fairlead::rt {

// What a thread intends, as strategies see it.
inline sched::Candidate Describe(const Thread& thread) {
  return {
      thread.tid, thread.intent.op,
      static_cast<abi::ObjId>(reinterpret_cast<uint64_t>(thread.intent.object)),
      thread.place.anchor, thread.intent.bytes};
}

class EnabledSet {
 public:
  size_t size() const { return size_; }
  Thread& thread(size_t index) const { return *threads_[index]; }
  std::span<const sched::Candidate> candidates() const {
    return {candidates_, size_};
  }

  // Describes anew what an enabled thread would do.
  void Update(const Thread& thread) {
    candidates_[thread.enabled_index] = Describe(thread);
  }

  void Insert(Thread& thread) {
    size_t at = size_++;
    for (; at > 0 && threads_[at - 1]->tid > thread.tid; --at) {
      Put(at, threads_[at - 1], candidates_[at - 1]);
    }
    Put(at, &thread, Describe(thread));
    thread.state = ThreadState::kEnabled;
  }

  void Remove(Thread& thread, ThreadState state) {
    --size_;
    for (size_t at = thread.enabled_index; at < size_; ++at) {
      Put(at, threads_[at + 1], candidates_[at + 1]);
    }
    thread.state = state;
  }

 private:
  void Put(size_t at, Thread* thread, const sched::Candidate& candidate) {
    threads_[at] = thread;
    candidates_[at] = candidate;
    thread->enabled_index = static_cast<uint32_t>(at);
  }

  size_t size_ = 0;
  Thread* threads_[abi::kMaxThreads];              // the first size_, by tid
  sched::Candidate candidates_[abi::kMaxThreads];  // of the same threads
};

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_GATE_ENABLED_H_
