// runtime/gate/inputs.h
//
// Inputs: results that the program does not determine. A live execution asks
// the kernel and writes them down; one that follows a schedule takes them from
// there, and the kernel is not asked.
//
// Each thread has a sequence of its own. What belongs to no thread (time that
// passed while everybody waited) is the sequence of Tid::kNone.
//
// *Moments* number the looks at the world outside. They happen at places that
// the execution determines, so a number says when a descriptor was found ready.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_GATE_INPUTS_H_
#define FAIRLEAD_RUNTIME_GATE_INPUTS_H_

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "abi/control.h"
#include "abi/schedule.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

// The memory that a call fills besides its result.
struct Outputs {
  static constexpr size_t kMost = 72;
  iovec parts[kMost];
  size_t num_parts = 0;
  bool cut = false;  // there were more parts than fit

  void Add(void* at, size_t bytes) {
    if (at == nullptr || bytes == 0) return;
    if (num_parts == kMost) {
      cut = true;
      return;
    }
    parts[num_parts++] = {at, bytes};
  }
};

class Inputs {
 public:
  // Again in a process that was forked to be an execution of its own.
  void Begin(abi::ControlPage& page);

  // Whether results come from the schedule.
  bool fed() const { return fed_; }
  // Whether the schedule is all there is: nothing happens that is not in it.
  bool must_follow() const { return must_follow_; }

  // The next input of `tid`; null = there is none left.
  const abi::InputRecord* Peek(Tid tid);
  // Takes it; it must be of this kind. Null when it is not, or there is none:
  // if the schedule must be followed, the execution ends as a divergence
  // instead; if not, it is live from here on.
  const abi::InputRecord* Take(Tid tid, abi::InputKind kind);

  void Record(Tid tid, abi::InputKind kind, uint64_t value,
              const Outputs* outputs = nullptr);

  // `thread` is made to yield here (abi::InputKind::kForced): written down, or
  // taken from the schedule.
  void Force(const Thread& thread);
  // Whether the schedule has that next, for this thread, before it comes to the
  // gate again.
  bool IsForcedNext(const Thread& thread) const;

  // Fills `outputs` with the payload of `record`, as far as it reaches.
  void Fill(const abi::InputRecord& record, const Outputs& outputs) const;

  uint64_t moment() const { return moment_; }
  void NextMoment() { ++moment_; }

 private:
  static constexpr size_t kNumSequences = abi::kMaxThreads + 1;
  static size_t SequenceOf(Tid tid) {
    return tid == Tid::kNone ? abi::kMaxThreads : abi::Index(tid);
  }
  void SkipTaken(Tid tid);
  [[noreturn]] void Diverge(Tid tid, abi::InputKind wanted,
                            const abi::InputRecord* found) const;

  bool fed_ = false;
  bool must_follow_ = false;
  const abi::InputRecord* records_ = nullptr;
  uint64_t num_records_ = 0;
  const char* payload_ = nullptr;
  uint64_t payload_bytes_ = 0;
  uint64_t moment_ = 0;
  const abi::InputRecord* NextForced() const;

  uint64_t num_forced_ = 0;             // yields so far
  uint64_t next_[kNumSequences] = {};   // where to look on, by sequence
  uint32_t count_[kNumSequences] = {};  // inputs so far, by sequence
};

extern unsigned char inputs_storage[];
inline Inputs& inputs() { return *reinterpret_cast<Inputs*>(inputs_storage); }

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_GATE_INPUTS_H_
