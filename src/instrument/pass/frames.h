// instrument/pass/frames.h
//
// Transformation: calling context, entry and exit, and the instruction count.
// The protocol between a frame and the runtime is in abi/hooks.h.
//
// The count is a local variable, advanced once per basic block by a constant,
// so that an idle program pays one register addition per block. It counts the
// source's own instructions as they are before optimisation, without traffic to
// private locals: the same number at every -O level.
//
// Functions that call nothing and come from a library header have no frame of
// their own: their sites are told apart by the call in the frame above.

#ifndef FAIRLEAD_INSTRUMENT_PASS_FRAMES_H_
#define FAIRLEAD_INSTRUMENT_PASS_FRAMES_H_

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

#include "instrument/pass/hook_table.h"
#include "instrument/pass/idle_copy.h"
#include "instrument/pass/locals.h"
#include "instrument/pass/site.h"
#include "instrument/pass/tables.h"

namespace fairlead::pass {

class Frame {
 public:
  Frame(llvm::Function& function, const HookTable& hooks, FunctionTable table)
      : function_(function), hooks_(hooks), table_(std::move(table)) {}

  // Adds the entry code and the count. Call first, on untouched blocks.
  void Open(Locals& locals);

  // Adds code around calls, in landing pads and at exits. Call last, so that
  // hooks of accesses made by a call lie outside its calling context.
  // Calls of leaves among `idle` (may be null) are split, see leaf_call.h.
  void Close(const Sites& sites, IdleCopies* idle);

  // The count at `at`, an instruction of the source, itself included.
  llvm::Value* InstructionsAt(llvm::IRBuilder<>& builder,
                              const llvm::Instruction* at) const;

  // The slot of the thread; null if the function has none, or (when it runs)
  // is left alone.
  llvm::Value* slot() const { return slot_; }

 private:
  void AddEntry();
  void AddCounts(Locals& locals);
  void AddCall(const Site& site);
  void Flush(llvm::IRBuilder<>& at, llvm::Value* count) const;
  void Restore(llvm::CallBase& call);
  void TellUnwound(llvm::Instruction* before);
  void AddExit(llvm::Instruction* leave);

  llvm::Function& function_;
  const HookTable& hooks_;
  FunctionTable table_;
  llvm::AllocaInst* count_ = nullptr;  // null: not open, the count is 0
  llvm::Value* slot_ = nullptr;        // ThreadSlot*, null when left alone
  llvm::Value* state_ = nullptr;       // node and depth at entry
  // Counted instructions of the block from this one on, itself excluded.
  llvm::DenseMap<const llvm::Instruction*, unsigned> behind_;
};

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_FRAMES_H_
