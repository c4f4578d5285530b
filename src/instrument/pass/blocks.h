// instrument/pass/blocks.h
//
// Small pieces of code that several transformations write.

#ifndef FAIRLEAD_INSTRUMENT_PASS_BLOCKS_H_
#define FAIRLEAD_INSTRUMENT_PASS_BLOCKS_H_

#include <llvm/IR/IRBuilder.h>

namespace fairlead::pass {

// The first instruction that runs once `call` has returned normally; null if
// there is none, or if nothing may stand there (a musttail call).
llvm::Instruction* BehindCall(llvm::CallBase& call);

// The first instruction behind the static locals of the entry block, which are
// moved to its top, so that splitting it there leaves them static.
llvm::Instruction* BehindStaticLocals(llvm::BasicBlock& entry);

// The address `offset` bytes behind `base`.
llvm::Value* FieldOf(llvm::IRBuilder<>& at, llvm::Value* base, uint64_t offset);

// The addresses `offsets` bytes behind `base`.
llvm::SmallVector<llvm::Value*, 4> PlacesOf(llvm::IRBuilder<>& at,
                                            llvm::Value* base,
                                            llvm::ArrayRef<uint64_t> offsets);

// The bits of all mode bytes, of which there is at least one.
llvm::Value* LoadModes(llvm::IRBuilder<>& at,
                       llvm::ArrayRef<llvm::Value*> modes);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_BLOCKS_H_
