// tests/sched/simulator.h
//
// Runs a strategy over a toy program without a process. A program is a text of
// threads divided by "|", each a letter and its operations divided by ";":
//
//   a: lock m; write x; unlock m | b: lock m; read x; unlock m
//
//   read x | write x       always enabled; write sets x to 1
//   lock m | unlock m      lock is enabled while nobody holds m
//   yield                  yields once, then goes on
//   yield until x          yields for as long as x is 0
//
// An execution is a string with one letter for each operation completed, in
// order; "!" at its end means deadlock and "~" livelock. Waiting and yielding
// are no operations, so "a: yield until x | b: write x" can only give "ba".
//
// All threads exist from the start; the points are those that the gate would
// make, and the spin policy is sched/fairness.h, as in the runtime.

#ifndef FAIRLEAD_TESTS_SCHED_SIMULATOR_H_
#define FAIRLEAD_TESTS_SCHED_SIMULATOR_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "abi/schedule.h"
#include "sched/strategy.h"

namespace fairlead::sched {

struct ToyStep {
  Op op;
  std::string object;  // empty for a plain yield
};
struct ToyThread {
  char letter;
  std::vector<ToyStep> steps;
};
using ToyProgram = std::vector<ToyThread>;

// Throws std::invalid_argument naming the text that it cannot read.
ToyProgram ParseToy(std::string_view text);

// One execution of `program` with `plan`; `choices`, if any, receives its
// schedule, `seen` every choice with its candidates.
std::string Simulate(Strategy& strategy, const ExecutionPlan& plan,
                     const ToyProgram& program,
                     std::vector<abi::ChoiceRecord>* choices = nullptr,
                     std::vector<abi::SeenRecord>* seen = nullptr);
std::string Simulate(Strategy& strategy, uint64_t seed,
                     std::string_view program);

// How often each execution came up over the seeds [first, first + number).
std::map<std::string, int> Count(Strategy& strategy, uint64_t first,
                                 uint64_t number, std::string_view program);

// The executions that came up at all.
std::set<std::string> SchedulesOver(Strategy& strategy, uint64_t first,
                                    uint64_t number, std::string_view program);

}  // namespace fairlead::sched

#endif  // FAIRLEAD_TESTS_SCHED_SIMULATOR_H_
