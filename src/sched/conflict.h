// sched/conflict.h
//
// Whether the order of two pending operations can matter: they act on the same
// object, and not both only read it. Everything on a lock, a condition variable
// or a thread counts as a change.
//
// Unsound: accesses of several bytes that overlap without beginning at the same
// byte are taken for independent; so is what an operation does besides (a wait
// on a condition variable also gives up its mutex).
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_CONFLICT_H_
#define FAIRLEAD_SCHED_CONFLICT_H_

#include "sched/strategy.h"

namespace fairlead::sched {

constexpr bool OnlyReads(Op op) {
  return op == Op::kRead || op == Op::kAtomicLoad;
}

constexpr bool Conflict(Op op_a, ObjId a, Op op_b, ObjId b) {
  return a == b && a != ObjId::kNone && !(OnlyReads(op_a) && OnlyReads(op_b));
}

constexpr bool Conflict(const Candidate& a, const Candidate& b) {
  return Conflict(a.next, a.object, b.next, b.object);
}

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_CONFLICT_H_
