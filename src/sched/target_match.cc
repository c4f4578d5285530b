#include "sched/target_match.h"

namespace fairlead::sched {
namespace {

using abi::kMaxTargetObjects;
using abi::kMaxTargetSteps;
using abi::TargetOperation;
using abi::TargetRelation;
using abi::TargetStepRecord;
using abi::TargetValue;

bool Is(TargetOperation operation, Op op) {
  switch (operation) {
    case TargetOperation::kAny:
    case TargetOperation::kCall:
      return true;
    case TargetOperation::kRead:
      return op == Op::kRead || op == Op::kAtomicLoad || op == Op::kCas;
    case TargetOperation::kWrite:
      return op == Op::kWrite || op == Op::kAtomicStore;
    case TargetOperation::kRmw:
      return op == Op::kRmw || op == Op::kCas;
    case TargetOperation::kLock:
      return op == Op::kLock || op == Op::kTryLock || op == Op::kFileLock ||
             op == Op::kWaitDone;
    case TargetOperation::kUnlock:
      return op == Op::kUnlock || op == Op::kFileUnlock || op == Op::kWait;
    case TargetOperation::kFree:
      return op == Op::kFree || op == Op::kUnmap;
    case TargetOperation::kClose:
      return op == Op::kClose;
    case TargetOperation::kDestroy:
      return op == Op::kDestroy;
    case TargetOperation::kWait:
      return op == Op::kWait || op == Op::kSemWait || op == Op::kFutexWait ||
             op == Op::kBarrierWait;
    case TargetOperation::kSignal:
      return op == Op::kSignal || op == Op::kBroadcast || op == Op::kSemPost ||
             op == Op::kFutexWake;
    case TargetOperation::kCreate:
      return op == Op::kFork;
    case TargetOperation::kJoin:
      return op == Op::kJoin;
    case TargetOperation::kCancel:
      return op == Op::kCancel;
  }
  return false;
}

bool Reads(Op op) {
  return op == Op::kRead || op == Op::kAtomicLoad || op == Op::kRmw ||
         op == Op::kCas;
}

bool IsWanted(TargetValue wanted, uint64_t value) {
  return wanted == TargetValue::kAny ||
         (value == 0) == (wanted == TargetValue::kZero);
}

}  // namespace

void TargetMatch::Begin(abi::TargetRecord& target,
                        const Insight* insight) noexcept {
  target_ = &target;
  insight_ = insight;
  Unbind();
}

void TargetMatch::Unbind() noexcept {
  for (Tid& thread : thread_of_) thread = Tid::kNone;
  for (Unit& unit : unit_of_) unit = {};
  for (Bytes& object : object_of_) object = {};
}

void TargetMatch::Bind(size_t s, const Candidate& candidate) noexcept {
  const TargetStepRecord& step = target_->steps[s];
  // What only leads there may be done by whoever comes.
  if (step.optional != 0) return;
  thread_of_[step.thread] = candidate.tid;
  if (step.object < kMaxTargetObjects) {
    Bytes& bound = object_of_[step.object];
    if (bound.bytes == 0) bound = BytesOf(candidate);
  }
  if (step.unit < kMaxTargetSteps && insight_ != nullptr) {
    uint32_t node = 0;
    if (unit_of_[step.unit].tid == Tid::kNone &&
        UnitNodeOf(s, candidate.tid, &node)) {
      unit_of_[step.unit] = {candidate.tid, node};
    }
  }
}

bool TargetMatch::PathFits(size_t s, Tid tid) const noexcept {
  const uint64_t path = target_->steps[s].path;
  return path == 0 || insight_ == nullptr || insight_->PathOf(tid) == path;
}

bool TargetMatch::ThreadFits(size_t s, Tid tid) const noexcept {
  const uint8_t role = target_->steps[s].thread;
  if (role >= kMaxTargetSteps || !PathFits(s, tid)) return false;
  if (thread_of_[role] != Tid::kNone) return thread_of_[role] == tid;
  // Different roles are different threads.
  for (const Tid bound : thread_of_) {
    if (bound == tid) return false;
  }
  return true;
}

bool TargetMatch::SiteFits(size_t s,
                           const Candidate& candidate) const noexcept {
  const TargetStepRecord& step = target_->steps[s];
  if (step.anchor != SiteId::kNone && step.anchor != candidate.site) {
    return false;
  }
  return Is(step.operation, candidate.next);
}

bool TargetMatch::UnitFits(size_t s, Tid tid) const noexcept {
  const uint8_t role = target_->steps[s].unit;
  if (role >= kMaxTargetSteps || insight_ == nullptr) return true;
  const Unit& unit = unit_of_[role];
  uint32_t node = 0;
  if (!UnitNodeOf(s, tid, &node)) return false;
  return unit.tid == Tid::kNone || (unit.tid == tid && unit.node == node);
}

bool TargetMatch::UnitNodeOf(size_t s, Tid tid, uint32_t* node) const noexcept {
  *node = insight_->NodeOf(tid);
  const uint64_t context = target_->steps[s].unit_context;
  return context == 0 || insight_->FindOuter(*node, context, node);
}

bool TargetMatch::ContextFits(size_t s, Tid tid) const noexcept {
  const uint64_t context = target_->steps[s].context;
  if (context == 0 || insight_ == nullptr) return true;
  return insight_->ContextOf(insight_->NodeOf(tid)) == context;
}

bool TargetMatch::Related(TargetRelation relation, const Bytes& object,
                          const Bytes& other) const noexcept {
  switch (relation) {
    case TargetRelation::kItself:
      return true;
    case TargetRelation::kOverlaps:
      return Share(object, other);
    case TargetRelation::kInsideFreed:
      return object.begin >= other.begin &&
             object.begin + object.bytes <= other.begin + other.bytes;
    case TargetRelation::kOtherField: {
      if (Share(object, other)) return false;
      if (insight_ == nullptr) return true;
      return insight_->BlockAt(object.begin).begin ==
             insight_->BlockAt(other.begin).begin;
    }
  }
  return true;
}

bool TargetMatch::ObjectFits(uint8_t role,
                             const Candidate& candidate) const noexcept {
  if (role >= kMaxTargetObjects) return true;
  const Bytes bytes = BytesOf(candidate);
  if (object_of_[role].bytes != 0 && !Share(object_of_[role], bytes)) {
    return false;
  }
  const abi::TargetObjectRecord& own = target_->objects[role];
  if (own.relation != TargetRelation::kItself &&
      own.other < kMaxTargetObjects && object_of_[own.other].bytes != 0 &&
      !Related(own.relation, bytes, object_of_[own.other])) {
    return false;
  }
  for (size_t i = 0; i < kMaxTargetObjects; ++i) {
    const abi::TargetObjectRecord& each = target_->objects[i];
    if (each.relation == TargetRelation::kItself || each.other != role) {
      continue;
    }
    if (object_of_[i].bytes != 0 &&
        !Related(each.relation, object_of_[i], bytes)) {
      return false;
    }
  }
  return true;
}

bool TargetMatch::ValueFits(size_t s,
                            const Candidate& candidate) const noexcept {
  const TargetValue wanted = target_->steps[s].value;
  if (wanted == TargetValue::kAny || insight_ == nullptr) return true;
  uint64_t value = 0;
  return insight_->ReadMemory(static_cast<uint64_t>(candidate.object),
                              candidate.bytes, &value) &&
         IsWanted(wanted, value);
}

bool TargetMatch::Fits(size_t s, const Candidate& candidate) noexcept {
  if (!SiteFits(s, candidate)) return false;
  abi::TargetProgress& progress = target_->progress;
  if (!ThreadFits(s, candidate.tid) || !UnitFits(s, candidate.tid)) {
    progress.other_thread |= Bit(s);
    return false;
  }
  if (!ContextFits(s, candidate.tid)) {
    progress.other_context |= Bit(s);
    return false;
  }
  if (!ObjectFits(target_->steps[s].object, candidate)) {
    progress.other_object |= Bit(s);
    return false;
  }
  return true;
}

bool TargetMatch::ReadFits(size_t s, const Candidate& candidate) noexcept {
  if (!Reads(candidate.next) || ValueFits(s, candidate)) return true;
  target_->progress.other_value |= Bit(s);
  return false;
}

bool TargetMatch::SameObject(const Candidate& a, const Candidate& b) noexcept {
  return Share(BytesOf(a), BytesOf(b));
}

bool TargetMatch::RelationFits(size_t before, const Candidate& candidate,
                               size_t s,
                               const Candidate& after) const noexcept {
  const uint8_t role = target_->steps[s].object;
  if (role >= kMaxTargetObjects) return true;
  const abi::TargetObjectRecord& own = target_->objects[role];
  if (own.relation != TargetRelation::kInsideFreed ||
      own.other != target_->steps[before].object) {
    return true;
  }
  return Related(own.relation, BytesOf(after), BytesOf(candidate));
}

bool TargetMatch::Touches(const Candidate& candidate, size_t s) const noexcept {
  const uint8_t role = target_->steps[s].object;
  if (role >= kMaxTargetObjects || candidate.object == ObjId::kNone) {
    return false;
  }
  return object_of_[role].bytes != 0 &&
         Share(object_of_[role], BytesOf(candidate));
}

bool TargetMatch::LeftUnit(Tid tid, Steps done) const noexcept {
  if (insight_ == nullptr) return false;
  for (size_t s = 0; s < target_->num_steps; ++s) {
    const uint8_t role = target_->steps[s].unit;
    if (role >= kMaxTargetSteps || (done & Bit(s)) != 0) continue;
    const Unit& unit = unit_of_[role];
    if (unit.tid != tid) continue;
    if (!insight_->Encloses(unit.node, insight_->NodeOf(tid))) return true;
  }
  return false;
}

}  // namespace fairlead::sched
