// sched/target_match.h
//
// Whether what a thread is about to do could be a step of a target: by site,
// operation, calling context, value, and by the roles of threads, units and
// objects as far as they are bound. A role is bound when a step is done, and
// from then on stands for that thread, activation or object.
//
//   objects   bytes: one role is one set of bytes, in the sense that accesses
//             to it share a byte; relations tie roles to each other
//   units     the activation of a function: the one that the step lies in, or,
//             where the step says by which calls, one further out. Taken to be
//             over when its thread is seen outside of the calls that led there
//   values    of reads, the value that lies there before; of writes, the one
//             that lies there afterwards, which `ValueFits` is asked for then
//
// Unsound: an activation that ends and begins anew by the same calls, without a
// point between, counts as one. Objects outside of the heap have no blocks: any
// two that share no byte are fields of one instance.
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_TARGET_MATCH_H_
#define FAIRLEAD_SCHED_TARGET_MATCH_H_

#include "abi/target.h"
#include "sched/insight.h"
#include "sched/strategy.h"

namespace fairlead::sched {

class TargetMatch {
 public:
  // Sets of steps, by index.
  using Steps = uint64_t;
  static constexpr Steps Bit(size_t step) { return Steps{1} << step; }

  // `target` has at most kMaxTargetSteps steps; its progress is written to.
  // `insight` may be null: then contexts, units, blocks and values of a target
  // are not looked at.
  void Begin(abi::TargetRecord& target, const Insight* insight) noexcept;

  // Nothing is bound any longer.
  void Unbind() noexcept;
  // `candidate` is step `s`.
  void Bind(size_t s, const Candidate& candidate) noexcept;

  // Whether it could be, whatever the value; notes in the progress what alone
  // keeps it from being.
  bool Fits(size_t s, const Candidate& candidate) noexcept;
  bool ThreadFits(size_t s, Tid tid) const noexcept;
  // Whether the operation is that of the step, at its site.
  bool SiteFits(size_t s, const Candidate& candidate) const noexcept;

  // False for a read that would not see what the step wants to be seen, as it
  // stands.
  bool ReadFits(size_t s, const Candidate& candidate) noexcept;
  // For a write: whether the value that lies there now is what the step wants.
  bool ValueFits(size_t s, const Candidate& candidate) const noexcept;

  Tid thread_of(uint8_t role) const noexcept { return thread_of_[role]; }
  // Whether the candidate touches the object that this step was bound to.
  bool Touches(const Candidate& candidate, size_t s) const noexcept;
  // Whether `after`, at step `s`, could be on what the object of step `before`
  // would be if `candidate` did that: where one lies in the other.
  bool RelationFits(size_t before, const Candidate& candidate, size_t s,
                    const Candidate& after) const noexcept;
  // Whether both would touch a common byte.
  static bool SameObject(const Candidate& a, const Candidate& b) noexcept;

  // Whether `tid` has left a unit that is bound to it, and that a step which is
  // not among `done` lies in.
  bool LeftUnit(Tid tid, Steps done) const noexcept;

 private:
  struct Bytes {
    uint64_t begin = 0;
    uint64_t bytes = 0;  // 0 = not bound
  };
  struct Unit {
    Tid tid = Tid::kNone;
    uint32_t node = 0;
  };

  static Bytes BytesOf(const Candidate& candidate) noexcept {
    return {static_cast<uint64_t>(candidate.object),
            candidate.bytes == 0 ? 1 : candidate.bytes};
  }
  static bool Share(const Bytes& a, const Bytes& b) noexcept {
    return a.begin < b.begin + b.bytes && b.begin < a.begin + a.bytes;
  }
  bool PathFits(size_t s, Tid tid) const noexcept;
  bool UnitFits(size_t s, Tid tid) const noexcept;
  // The node of the activation that would be the unit of step `s`; false if
  // the thread is in none.
  bool UnitNodeOf(size_t s, Tid tid, uint32_t* node) const noexcept;
  bool ContextFits(size_t s, Tid tid) const noexcept;
  bool ObjectFits(uint8_t role, const Candidate& candidate) const noexcept;
  bool Related(abi::TargetRelation relation, const Bytes& object,
               const Bytes& other) const noexcept;

  abi::TargetRecord* target_ = nullptr;
  const Insight* insight_ = nullptr;
  // By role; none = not bound.
  Tid thread_of_[abi::kMaxTargetSteps];
  Unit unit_of_[abi::kMaxTargetSteps];
  Bytes object_of_[abi::kMaxTargetObjects];
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_TARGET_MATCH_H_
