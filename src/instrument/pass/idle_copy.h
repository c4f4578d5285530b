// instrument/pass/idle_copy.h
//
// Transformation: a second, untouched body for functions that are idle as a
// whole. Hooks on a path that is never taken still forbid the optimizer to keep
// a value in a register across it, so a program that nobody watches would pay
// for all of them. The function's name becomes a switch:
//
//   f(…):  if (mode of f, or of a leaf that f.idle absorbs) tail f.active(…)
//          else                                             tail f.idle(…)
//
// f.active is the instrumented body, which the optimizer leaves alone (in code
// of the application local variables become registers all the same); f.idle the
// original one. A call in an idle body to a leaf (a function that calls nothing
// but leaves) goes straight to the leaf's idle body; in exchange the switch
// asks for the leaf's mode too. A call in an active body asks for itself, and
// does without a calling context when the leaf has nothing to tell
// (leaf_call.h).
//
// The switch looks at abi::FunctionMode only, which is why a runtime that sets
// a site's mode must set kModeSites in its function's; and it looks once, at
// entry: an activation that began idle stays idle.
//
// Not done for functions that are not to be optimised (-O0: nothing to gain,
// and a debugger's user expects one body), for coroutines, for variadic
// functions, and for those whose blocks have their address taken.

#ifndef FAIRLEAD_INSTRUMENT_PASS_IDLE_COPY_H_
#define FAIRLEAD_INSTRUMENT_PASS_IDLE_COPY_H_

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

#include <optional>

namespace fairlead::pass {

class IdleCopies {
 public:
  // Whose code it is. The active bodies of libraries, of which templates bring
  // along a great many, are made for a fast compiler.
  enum class Code { kApplication, kLibrary };

  // Keeps a copy of `function` as it is now, if it may have one. `mode` is the
  // function's mode byte.
  void Keep(llvm::Function& function, llvm::Constant* mode, Code code);

  // The idle body that `call` may go to when none of `asked` is set.
  struct Leaf {
    llvm::Function* idle;
    llvm::ArrayRef<llvm::Constant*> asked;
  };
  // Of a call to a leaf, else nothing. Ask when all functions have been kept.
  std::optional<Leaf> LeafAt(const llvm::CallBase& call);

  // Call once, when all functions are instrumented: writes the switches.
  void Switch();

 private:
  struct Copy {
    llvm::Function* idle;
    llvm::Constant* mode;
    Code code;
    // Modes that the switch asks for: its own and those of absorbed leaves.
    llvm::SmallVector<llvm::Constant*, 4> asked;
    enum class State { kUnseen, kOpen, kLeaf, kNoLeaf } state = State::kUnseen;
  };

  // Absorbs what `copy` calls, after what those call. The outcome does not
  // depend on the order in which functions are visited: a cycle has no leaf.
  void Absorb(Copy& copy);
  // The leaf that `call` could go to directly, or null.
  Copy* LeafOf(const llvm::CallBase& call);

  llvm::MapVector<llvm::Function*, Copy> copies_;
};

// Call once, when the optimizer is done: active bodies, which it was kept from,
// are open to the code generator again, for which they cost little.
void FinishActiveBodies(llvm::Module& module);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_IDLE_COPY_H_
