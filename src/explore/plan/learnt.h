// explore/plan/learnt.h
//
// What executions so far have taught about a program, as far as strategies need
// it: how long they are, and what each thread does.

#ifndef FAIRLEAD_EXPLORE_PLAN_LEARNT_H_
#define FAIRLEAD_EXPLORE_PLAN_LEARNT_H_

#include <array>
#include <cstdint>
#include <vector>

#include "abi/control.h"
#include "explore/plan/planner.h"

namespace fairlead::explore {

class Learnt {
 public:
  void Learn(const Observed& observed);

  // Choices in an execution: the longest of the last few, so that the guarantee
  // of `pct`, which needs k to be no smaller, does not suffer from one that was
  // cut short by its failure, nor for long from one that spun. 0 = none known.
  uint64_t steps() const;

  // What `surw` needs for operations in the buckets of `mask`; empty as long
  // as no execution has been counted.
  std::vector<abi::WeightRecord> Weights(uint64_t mask) const;

  // The buckets in which two or more threads did something.
  uint64_t shared_buckets() const;

  uint64_t num_threads() const { return num_threads_; }

 private:
  static constexpr size_t kRecent = 8;

  std::array<uint64_t, kRecent> steps_ = {};  // 0 = not filled yet
  size_t next_ = 0;
  uint64_t num_threads_ = 0;  // most that any execution had
  // Of the last execution that ended well, by thread number.
  std::vector<abi::OperationCount> counts_;
  std::vector<abi::Tid> parents_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_PLAN_LEARNT_H_
