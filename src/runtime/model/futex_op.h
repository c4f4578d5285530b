// runtime/model/futex_op.h
//
// The little language of FUTEX_WAKE_OP, as futex(2) has it.
//
// Tier: freestanding.

#ifndef FAIRLEAD_RUNTIME_MODEL_FUTEX_OP_H_
#define FAIRLEAD_RUNTIME_MODEL_FUTEX_OP_H_

#include <linux/futex.h>
#include <stdint.h>

namespace fairlead::rt {

// What FUTEX_WAKE_OP does to its second word: the operation, its argument, and
// how the old value is compared with what, packed into one word.
struct WakeOp {
  explicit WakeOp(uint32_t packed)
      : op((packed >> 28) & 7),
        compare((packed >> 24) & 15),
        argument(SignExtend(packed >> 12)),
        with(SignExtend(packed)) {
    if ((packed >> 28 & FUTEX_OP_OPARG_SHIFT) != 0) argument = 1 << argument;
  }
  static int SignExtend(uint32_t bits) {
    return static_cast<int>(bits << 20) >> 20;  // of 12
  }
  int Apply(int old) const {
    switch (op) {
      case FUTEX_OP_SET:
        return argument;
      case FUTEX_OP_ADD:
        return old + argument;
      case FUTEX_OP_OR:
        return old | argument;
      case FUTEX_OP_ANDN:
        return old & ~argument;
      default:
        return old ^ argument;
    }
  }
  bool Holds(int old) const {
    switch (compare) {
      case FUTEX_OP_CMP_EQ:
        return old == with;
      case FUTEX_OP_CMP_NE:
        return old != with;
      case FUTEX_OP_CMP_LT:
        return old < with;
      case FUTEX_OP_CMP_LE:
        return old <= with;
      case FUTEX_OP_CMP_GT:
        return old > with;
      default:
        return old >= with;
    }
  }

  uint32_t op;
  uint32_t compare;
  int argument;
  int with;
};

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_FUTEX_OP_H_
