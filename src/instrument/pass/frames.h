// instrument/pass/frames.h
//
// Transformation: calling context, entry and exit, and the instruction count.
// The protocol between a frame and the runtime is in abi/hooks.h. None of it
// branches: a frame that is left alone writes to a slot of its own.
//
// Functions that call nothing and come from a library header have no frame of
// their own: their sites are told apart by the call in the frame above.

#ifndef FAIRLEAD_INSTRUMENT_PASS_FRAMES_H_
#define FAIRLEAD_INSTRUMENT_PASS_FRAMES_H_

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

#include "instrument/pass/counts.h"
#include "instrument/pass/idle_copy.h"
#include "instrument/pass/site.h"
#include "instrument/pass/stubs.h"

namespace fairlead::pass {

class Frame {
 public:
  // `record`: where that of the function is behind the unit's first one.
  Frame(llvm::Function& function, uint64_t record, Stubs& stubs)
      : function_(function), record_(record), stubs_(stubs) {}

  // Adds the entry code and the counts. Call first, on untouched blocks.
  // `pointer_arguments`: numbers of those that are handed to Hooks::enter.
  void Open(llvm::ArrayRef<unsigned> pointer_arguments,
            const Stretches& stretches);

  // Adds code around calls, in landing pads and at exits. Call last, so that
  // hooks of accesses made by a call lie outside its calling context.
  // Calls of leaves among `idle` (may be null) are split, see leaf_call.h.
  void Close(const Sites& sites, IdleCopies* idle);

 private:
  llvm::Value* Handed(llvm::IRBuilder<>& at,
                      llvm::ArrayRef<unsigned> pointer_arguments);
  void Add(llvm::IRBuilder<>& at, unsigned instructions);
  void AddCall(const Site& site);
  void Restore(llvm::CallBase& call);
  void TellUnwound(llvm::Instruction* before);
  void AddExit(llvm::Instruction* leave);
  // The address of the unit's first function record, asked for once.
  llvm::Value* Functions();
  // The slot's target, of this frame's thread.
  llvm::Value* Target(llvm::IRBuilder<>& at);

  llvm::Function& function_;
  uint64_t record_;
  Stubs& stubs_;
  llvm::Value* slot_ = nullptr;   // ThreadSlot*; null until opened
  llvm::Value* state_ = nullptr;  // node and depth at entry
  llvm::Value* functions_ = nullptr;
  // Its own slot; null where nobody but frames can enter the function.
  llvm::Value* own_ = nullptr;
};

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_FRAMES_H_
