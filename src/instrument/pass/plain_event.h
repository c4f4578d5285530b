// instrument/pass/plain_event.h
//
// Transformation: the program writes plain events itself (abi/hooks.h). A call
// of a hook costs more than the event does, since hooks save what they use.

#ifndef FAIRLEAD_INSTRUMENT_PASS_PLAIN_EVENT_H_
#define FAIRLEAD_INSTRUMENT_PASS_PLAIN_EVENT_H_

#include <llvm/IR/IRBuilder.h>

#include "instrument/pass/frames.h"
#include "instrument/pass/site.h"

namespace fairlead::pass {

// `at` ends a block with a jump: makes it write the event of `site`, which
// found or stored `value`, where there is room, and then jump. Returns where
// the hook is to be called when there is not.
llvm::Instruction* TellPlainly(const Site& site, llvm::Value* value,
                               llvm::Value* instructions, const Frame& frame,
                               llvm::Instruction* at);

// Whether the event of `site` can be a plain one.
bool IsPlain(const Site& site, const Frame& frame);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_PLAIN_EVENT_H_
