// Makes traces that a program could produce, one step of one thread at a time:
// nobody takes a lock that another holds, values read are those written last.
// For tests that go through all small traces, or through random ones.

#ifndef FAIRLEAD_TESTS_ORDER_TRACE_MAKER_H_
#define FAIRLEAD_TESTS_ORDER_TRACE_MAKER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "trace/trace.h"

namespace fairlead::order {

// What a thread may do next. Some are more than one event.
enum class Move {
  kRead,
  kWrite,  // of a value not seen before
  kLock,
  kUnlock,
  kLockShared,
  kUnlockShared,
  kLoadAcquire,
  kLoadRelaxed,
  kStoreRelease,
  kStoreRelaxed,
  kUpdateRelaxed,
  kUpdateAcqRel,
  kFenceAcquire,
  kFenceRelease,
  kPost,
  kSemWait,
  kFork,  // the next thread that is not there yet
  kEnd,
  kJoin,  // the next thread
  kCancel,
  kCanceled,
  kWait,
  kSignal,
  kBroadcast,
  kWake,  // ends a wait that was signalled
  kBarrier,
  kBarrierPassed,
  kOnce,
  kOnceDone,
  kAnnotatedRelease,
  kAnnotatedAcquire,
  kSend,
  kDelivered,
  kDestroy,
  kAlloc,
  kFree,
  kPublish,  // writes the address of the block
  kTouch,    // writes into the block, whose address it read
  kLast = kTouch,
};

// What the wake-ups of a trace name: the event that caused them, or only its
// thread.
enum class Causes { kThreads, kEvents };

class TraceMaker {
 public:
  explicit TraceMaker(uint16_t num_threads, Causes causes = Causes::kThreads)
      : num_threads_(num_threads), causes_(causes) {}

  // False when the thread cannot do that now; nothing has changed then.
  bool Do(uint16_t thread, Move move);

  const trace::Trace& trace() const { return trace_; }
  uint16_t num_threads() const { return num_threads_; }

 private:
  using Tid = trace::Tid;
  trace::Event& Add(Tid tid, trace::EventKind kind, uint64_t address);
  void Access(Tid tid, trace::EventKind kind, uint64_t address,
              abi::MemoryOrder order, bool reads, bool writes);
  bool DoAccess(Tid tid, Move move);
  bool DoLock(Tid tid, Move move);
  bool DoLife(Tid tid, Move move);
  bool DoCondvar(Tid tid, Move move);
  bool DoBarrierOrOnce(Tid tid, Move move);
  bool DoOther(Tid tid, Move move);
  bool Holds(Tid tid) const { return owner_ == tid; }

  uint16_t num_threads_;
  Causes causes_;
  trace::Trace trace_;
  std::map<uint64_t, uint64_t> memory_;
  uint64_t next_value_ = 1;
  Tid owner_ = Tid::kNone;
  std::multiset<Tid> readers_;
  uint64_t posts_ = 0;
  std::set<Tid> forked_;
  std::set<Tid> ended_;
  std::map<Tid, std::optional<uint64_t>> waiting_;  // on the condvar; by what
                                                    // event it was signalled
  std::set<Tid> at_barrier_;
  std::set<Tid> leaving_;
  uint64_t generation_ = 0;
  Tid once_runner_ = Tid::kNone;
  bool once_done_ = false;
  uint64_t block_ = 0;  // address of the live block; 0 = none
  uint64_t num_blocks_ = 0;
  std::set<Tid> knows_block_;
};

// Calls `visit` with every trace of `length` moves among `moves`.
template <typename Visit>
void ForEachTrace(const TraceMaker& start, std::span<const Move> moves,
                  size_t length, const Visit& visit) {
  if (length == 0) {
    visit(start.trace());
    return;
  }
  bool stuck = true;
  for (uint16_t thread = 0; thread < start.num_threads(); ++thread) {
    for (const Move move : moves) {
      TraceMaker next = start;
      if (!next.Do(thread, move)) continue;
      stuck = false;
      ForEachTrace(next, moves, length - 1, visit);
    }
  }
  if (stuck) visit(start.trace());
}

// A trace of `length` moves of any kind.
trace::Trace RandomTrace(uint64_t seed, uint16_t num_threads, size_t length);

}  // namespace fairlead::order

#endif  // FAIRLEAD_TESTS_ORDER_TRACE_MAKER_H_
