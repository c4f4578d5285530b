// lin/operation.h
//
// A history as a value: operations of processes on one object, each with the
// moments of its begin and its end. Moments are numbers in the order of a
// history's events; only their order counts. What is asked and answered is
// kept as small numbers (lin/values.h), so that models compare numbers.

#ifndef FAIRLEAD_LIN_OPERATION_H_
#define FAIRLEAD_LIN_OPERATION_H_

#include <cstdint>
#include <vector>

namespace fairlead::lin {

// Of a value in a ValueTable. Equal numbers mean equal values.
enum class ValueId : uint32_t {
  kNil = 0,
  kFalse = 1,
  kTrue = 2,
  kUnknown = 0xffffffff
};

// What an operation asks of its object. Which model knows which is in
// lin/models.cc.
enum class Call : uint8_t {
  kRead,
  kWrite,
  kCas,
  kAppend,
  kDelete,
  kPush,
  kPop,
  kAdd,
  kRemove,
  kContains,
  kIncrease,
  kAcquire,
  kRelease,
};

// An operation that has not ended may have taken effect, or may not.
inline constexpr uint64_t kNever = ~uint64_t{0};

struct Operation {
  Call call = Call::kRead;
  // Of a compare-and-set: what is expected, and what is set.
  ValueId argument = ValueId::kNil;
  ValueId second = ValueId::kNil;
  // What was answered; kUnknown = nobody has seen it, as of what never ended.
  ValueId result = ValueId::kNil;
  uint64_t begin = 0;
  uint64_t end = kNever;  // > begin
  uint32_t number = 0;    // in the file: for people
  bool operator==(const Operation&) const = default;
};

using History = std::vector<Operation>;

// Whether it can never change its object, given what it was answered: it looks,
// or was refused, or met nothing.
constexpr bool OnlyLooks(const Operation& operation) {
  switch (operation.call) {
    case Call::kRead:
    case Call::kContains:
      return true;
    case Call::kCas:
    case Call::kAdd:
    case Call::kRemove:
    case Call::kAcquire:
      return operation.result == ValueId::kFalse;
    case Call::kPop:
      return operation.result == ValueId::kNil;
    case Call::kWrite:
    case Call::kAppend:
    case Call::kDelete:
    case Call::kPush:
    case Call::kIncrease:
    case Call::kRelease:
      return false;
  }
  return false;
}

}  // namespace fairlead::lin

#endif  // FAIRLEAD_LIN_OPERATION_H_
