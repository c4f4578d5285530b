// trace/unwind.h
//
// Unwinds stacks that a program left behind when it failed, by the call frame
// information of its binaries: also through code that was not built by us.

#ifndef FAIRLEAD_TRACE_UNWIND_H_
#define FAIRLEAD_TRACE_UNWIND_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "abi/control.h"

namespace fairlead::trace {

class Unwinder {
 public:
  // Binaries that cannot be read are left out; frames of theirs end a stack.
  explicit Unwinder(const std::vector<abi::ModuleEntry>& modules);
  ~Unwinder();
  Unwinder(const Unwinder&) = delete;
  Unwinder& operator=(const Unwinder&) = delete;

  // Addresses of code, the innermost first: the first is where the thread was,
  // the others are in the instructions that called. As far as it can be told:
  // `record` and `bytes`, its memory from the stack pointer, are untrusted.
  std::vector<uint64_t> UnwindUntrusted(const abi::StackRecord& record,
                                        std::span<const char> bytes);

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_UNWIND_H_
