// runtime/carrier/stacks.h
//
// Stacks of the program's threads at fixed addresses, so that an address on a
// stack is the same in every repetition of a schedule and on every carrier.
//
//   kStacksBegin + i * kSlotBytes
//   | guard | stack, growing down from top | launch | control block, TLS |
//                                          ^ stack top
//   launch: what glibc wants below a control block: static TLS, and the few
//   frames of a kernel thread before it moves to its stack; at its begin, the
//   stack for signal handlers
//
// Slots are reused, the last one freed first: a rule that the schedule alone
// determines.
//
// Assumes: nothing else maps kStacksBegin. Where something does, or a thread
// asks for more than a slot holds, the slot lies wherever the kernel puts it,
// and a note is logged.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_CARRIER_STACKS_H_
#define FAIRLEAD_RUNTIME_CARRIER_STACKS_H_

#include <stddef.h>
#include <stdint.h>

namespace fairlead::rt {

struct Thread;

// Between the shadow of clang's ASan (ends at 16 TB) and what the kernel gives
// out itself (from 85 TB).
inline constexpr uintptr_t kStacksBegin = 0x2100'0000'0000;
inline constexpr uintptr_t kStacksEnd = 0x2200'0000'0000;
inline constexpr size_t kSlotBytes = size_t{64} << 20;
// The kernel stores up to 11 KB of registers; the rest is for handlers.
inline constexpr size_t kSignalStackBytes = size_t{48} << 10;
inline constexpr size_t kDefaultStackBytes = size_t{8} << 20;
// Frames of instrumented code are larger than plain ones, the smallest (16
// bytes) five times. Recursion that fits the stack which a program asks for
// must fit ours, so stacks are so many times as large; memory that nobody
// touches costs nothing.
inline constexpr size_t kLargerFrames = 6;

struct StackSlot {
  char* begin;      // of the mapping
  char* launch;     // end of the stack, begin of the launch area
  char* end;        // of the mapping; the control block lies right below
  Thread* thread;   // its last owner; null = none yet
  StackSlot* next;  // in the free list
  uint32_t index;
  size_t stack_bytes;  // what a thread may use, more than was asked for
};

// Measures what glibc needs below a control block. Called once, at the start.
void PrepareStacks();

// A slot whose stack holds what plain frames would use `stack_bytes` for, or,
// where memory is short, those alone; null when there is no memory at all.
StackSlot* TakeStack(size_t stack_bytes);
void GiveStackBack(StackSlot* slot);

// The thread whose control block is at `handle`, or null.
Thread* ThreadOfHandle(uintptr_t handle);

// The slot that this address lies in, or in the gap ahead of; or null.
StackSlot* SlotAt(const void* address);

// Where glibc puts the control block of a thread with this slot.
char* ControlBlock(const StackSlot& slot);

// [begin, end) of a thread's static TLS and control block around `block`.
char* TlsBegin(char* block);
char* TlsEnd(char* block);

// Lets handlers of the calling kernel thread run at [begin, begin + bytes).
void UseSignalStack(char* begin, size_t bytes);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_CARRIER_STACKS_H_
