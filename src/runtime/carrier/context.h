// runtime/carrier/context.h
//
// The three moves between stacks, in assembly (context.S). A function that
// runs on a fresh stack has its first frame at the same address whichever move
// brought it there, which keeps stack addresses equal on all carriers.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_CARRIER_CONTEXT_H_
#define FAIRLEAD_RUNTIME_CARRIER_CONTEXT_H_

extern "C" {

// Calls function(argument) with the stack pointer at `top` (a multiple of 16),
// and returns to the caller's stack when it returns.
void __fl_call_on_stack(void* argument, void (*function)(void*), void* top);

// Saves the callee-saved registers and floating-point control words on the
// stack, stores the stack pointer in *save, sets the thread pointer to
// `thread_pointer` and goes on where `target` was saved.
void __fl_switch(void** save, void* target, void* thread_pointer);

// Stores the registers that its caller goes on with, by their DWARF numbers:
// those that a call keeps, the stack pointer and the return address (17 words).
void __fl_registers(unsigned long* words);

// Where a fresh fiber begins: calls r13(r12).
void __fl_fiber_entry(void);
}

namespace fairlead::rt {

// What __fl_switch expects at `target`, lowest address first.
struct SavedRegisters {
  unsigned mxcsr;
  unsigned short x87_control;
  unsigned short unused;
  void* r15;
  void* r14;
  void* r13;
  void* r12;
  void* rbx;
  void* rbp;
  void (*resume)();
};
static_assert(sizeof(SavedRegisters) == 64);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_CARRIER_CONTEXT_H_
