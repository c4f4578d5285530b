// instrument/pass/hook_table.h
//
// Calls through the module's hook table. The table is one hidden, link-once
// variable per loaded module, all null until a runtime fills it.

#ifndef FAIRLEAD_INSTRUMENT_PASS_HOOK_TABLE_H_
#define FAIRLEAD_INSTRUMENT_PASS_HOOK_TABLE_H_

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace fairlead::pass {

enum class Hook : unsigned {
#define FL_HOOK_SLOT(result, name, parameters) name,
#include "abi/hooks.inc"
#undef FL_HOOK_SLOT
  kCount
};

class HookTable {
 public:
  explicit HookTable(llvm::Module& module);

  llvm::GlobalVariable* table() const { return table_; }

  // Emits a call of `hook`; `result` null for void.
  llvm::CallInst* Call(llvm::IRBuilder<>& at, Hook hook, llvm::Type* result,
                       llvm::ArrayRef<llvm::Value*> arguments) const;

 private:
  llvm::GlobalVariable* table_;
};

// Splits in front of `before` and returns where code that runs when any of
// `bits` of `mode` is set belongs. Marked as unlikely.
llvm::Instruction* WhenAnyOf(llvm::Value* mode, unsigned bits,
                             llvm::Instruction* before);

// The same for a pointer that is not null.
llvm::Instruction* WhenNotNull(llvm::Value* pointer, llvm::Instruction* before);

// The first instruction that runs once `call` has returned normally; null if
// there is none, or if nothing may stand there (a musttail call).
llvm::Instruction* BehindCall(llvm::CallBase& call);

// The address `offset` bytes behind `base`.
llvm::Value* FieldOf(llvm::IRBuilder<>& at, llvm::Value* base, uint64_t offset);

// Reads a mode byte.
llvm::Value* LoadMode(llvm::IRBuilder<>& at, llvm::Constant* mode);

// The bits of all of them, of which there is at least one.
llvm::Value* LoadModes(llvm::IRBuilder<>& at,
                       llvm::ArrayRef<llvm::Constant*> modes);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_HOOK_TABLE_H_
