// instrument/pass/idle_copy.h
//
// Transformation: a second, untouched body for functions that are idle as a
// whole. Hooks on a path that is never taken still forbid the optimizer to keep
// a value in a register across it, so a program that nobody watches would pay
// for all of them. The function begins with a switch:
//
//   f(…):  if (mode of f, or of a leaf that f absorbs) tail f.active(…)
//          the original body
//
// The tail call leaves the frame of f, so that it is not on the stack twice.
// Where the code generator might not do so, or f become a part of its caller,
// and the locals are large, the original body is a function of its own, too.
// f.active is the instrumented body, which is compiled without optimisation, as
// its hooks take the time; local variables become registers all the same, but
// for those that would be in many blocks of a long function. A call in an idle
// body to a leaf (a function that calls nothing but leaves) goes straight to
// the leaf's original body, which is then a function of its own, f.idle; in
// exchange the switch asks for the leaf's mode too. A call in an active body
// asks for itself, and does without a calling context when the leaf has nothing
// to tell (leaf_call.h). Calls among the active bodies of libraries do not ask:
// what is called there for its own sake would be compiled twice. Neither do
// calls of functions that are always inlined: both bodies would be written into
// the active body of whoever calls them.
//
// The switch looks at abi::FunctionMode only, which is why a runtime that sets
// a site's mode must set kModeSites in its function's; and it looks once, at
// entry: an activation that began idle stays idle.
//
// Not done for functions that are not to be optimised (-O0: nothing to gain,
// and a debugger's user expects one body), for coroutines, for variadic
// functions, for those whose blocks have their address taken, and for those
// with large locals beside parameters that are copies in the caller's frame,
// since a tail call would take these away.

#ifndef FAIRLEAD_INSTRUMENT_PASS_IDLE_COPY_H_
#define FAIRLEAD_INSTRUMENT_PASS_IDLE_COPY_H_

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

#include <memory>
#include <optional>
#include <string>

#include "instrument/pass/silent_calls.h"

namespace fairlead::pass {

class IdleCopies {
 public:
  // Whose code it is. Libraries bring along a great many templates.
  enum class Code { kApplication, kLibrary };

  // A function as the pass knows it.
  struct Kept {
    llvm::Function* function;
    uint64_t id;    // as FunctionRecord::id
    uint64_t mode;  // where its mode byte is behind the unit's first function
                    // record
    Code code;
  };
  // Keeps a copy of the function as it is now, if it may have one.
  void Keep(const Kept& kept);
  // A function of a library that stays as it is.
  void AddSilent(llvm::Function& function) { silent_.Add(function); }

  // The idle body that `call` may go to when none of the modes at `asked`, as
  // Kept::mode, is set.
  struct Leaf {
    llvm::Function* idle;
    llvm::SmallVector<uint64_t, 4> asked;
  };
  // Of a call to a leaf, else nothing. Ask when all functions have been kept.
  std::optional<Leaf> LeafAt(const llvm::CallBase& call);

  // Some mode that the callee of `call`, a leaf, asks for is set whenever it is
  // reached.
  void AddAsked(llvm::CallBase& call) { asked_.push_back(&call); }

  // Call once, when all functions are instrumented: writes the switches.
  // `functions`: the address of the unit's first function record.
  void Switch(llvm::Constant* functions);

 private:
  struct Copy {
    Kept kept;
    llvm::Function* idle;
    llvm::Function* active;  // null until it is made
    // Those whose modes the switch asks for: itself and absorbed leaves.
    llvm::SmallVector<const Copy*, 4> asked;
    enum class State { kUnseen, kOpen, kLeaf, kNoLeaf } state;
    bool called;  // the idle body, by others
  };

  // Absorbs what `copy` calls, after what those call. The outcome does not
  // depend on the order in which functions are visited: a cycle has no leaf.
  void Absorb(Copy& copy);
  // The leaf that `call` could go to directly, or null.
  Copy* LeafOf(const llvm::CallBase& call);
  void WriteSwitch(Copy& copy, llvm::Constant* functions);
  // Has active bodies call each other where nobody need ask.
  void LinkBodies();
  // The active body of what `call` calls, or null.
  llvm::Function* ActiveOf(const llvm::CallBase& call, Code caller);

  static std::string AskedName(const Copy& copy);
  static llvm::SmallVector<uint64_t, 4> ModesOf(const Copy& copy);

  llvm::MapVector<llvm::Function*, std::unique_ptr<Copy>> copies_;
  llvm::SmallVector<llvm::CallBase*, 16> asked_;
  SilentFunctions silent_;
};

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_IDLE_COPY_H_
