// explore/names/stacks.h
//
// The stacks of all threads as they were when an execution failed, with source
// lines, also through code without sites: what runtime/gate/stack_writer.h
// kept.

#ifndef FAIRLEAD_EXPLORE_NAMES_STACKS_H_
#define FAIRLEAD_EXPLORE_NAMES_STACKS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "explore/names/namer.h"
#include "explore/run/control_memory.h"
#include "finding/finding.h"

namespace fairlead::explore {

class Stacks {
 public:
  // `namer` is that of the same execution; not needed later.
  Stacks(const ControlMemory& memory, Namer& namer);

  // The innermost first; empty = not known.
  std::vector<finding::Where> Of(abi::Tid thread) const;

  // The innermost one in code that is no library's. It is the same whichever
  // body of its function ran, and whatever the optimiser has inlined.
  std::optional<finding::Where> OwnFrame(abi::Tid thread) const;

  // The functions of all frames, those of libraries too, the innermost first.
  std::vector<std::string> FunctionsOf(abi::Tid thread) const;

 private:
  std::map<abi::Tid, std::vector<finding::Where>> by_thread_;
  std::map<abi::Tid, std::vector<std::string>> functions_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_NAMES_STACKS_H_
