// instrument/pass/rmw_value.h
//
// What an atomic read-modify-write leaves in memory, computed from the value it
// returned.

#ifndef FAIRLEAD_INSTRUMENT_PASS_RMW_VALUE_H_
#define FAIRLEAD_INSTRUMENT_PASS_RMW_VALUE_H_

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace fairlead::pass {

llvm::Value* RmwValue(llvm::IRBuilder<>& at, llvm::AtomicRMWInst::BinOp op,
                      llvm::Value* old, llvm::Value* operand);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_RMW_VALUE_H_
