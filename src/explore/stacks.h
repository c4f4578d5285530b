// explore/stacks.h
//
// The stacks of all threads as they were when an execution failed, with source
// lines, also through code without sites: what runtime/stack_writer.h kept.

#ifndef FAIRLEAD_EXPLORE_STACKS_H_
#define FAIRLEAD_EXPLORE_STACKS_H_

#include <map>
#include <vector>

#include "explore/control_memory.h"
#include "explore/namer.h"
#include "finding/finding.h"

namespace fairlead::explore {

class Stacks {
 public:
  // `namer` is that of the same execution; not needed later.
  Stacks(const ControlMemory& memory, Namer& namer);

  // The innermost first; empty = not known.
  std::vector<finding::Where> Of(abi::Tid thread) const;

 private:
  std::map<abi::Tid, std::vector<finding::Where>> by_thread_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_STACKS_H_
