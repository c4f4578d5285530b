#include "runtime/intercept/fault_handler.h"

#include <string.h>

#include "runtime/carrier/stacks.h"
#include "runtime/emit/emitter.h"
#include "runtime/gate/hook.h"
#include "runtime/gate/watch.h"
#include "runtime/intercept/access.h"
#include "runtime/model/alternate_stack.h"
#include "runtime/model/signals.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

constexpr uintptr_t kRedZoneBytes = 128;
constexpr uintptr_t kPage = 4096;
// What the kernel writes of a ucontext_t; libc's type has more behind it.
constexpr size_t kContextBytes =
    offsetof(ucontext_t, uc_sigmask) + sizeof(SignalSet);
// Direction, single step and alignment check: off when a handler begins.
constexpr long kClearedFlags = 0x400 | 0x100 | 0x40000;

// On the stack of the handler, from its lowest address.
struct Frame {
  ucontext_t machine;  // what the handler may look at and change
  siginfo_t info;
  Thread* thread;
  Action action;
  void (*detour)(Thread&);  // of GoByDetour
  stack_t kernel_stack;     // uc_stack as the kernel knows it
  SignalSet kernel_mask;
  uint8_t inside;
  // Where a stub made the access that faulted; the handler is shown the call of
  // the stub. 0 = there was none.
  greg_t stub_pc, stub_sp;
  greg_t shown_pc;
  // Of the access, which has had its point already.
  Written written;
  uint8_t at_point;
};

// A handler that does not send the thread elsewhere has the access made again,
// behind the same point.
void ResumeAccess(Thread& thread, Frame& frame) {
  greg_t* registers = frame.machine.uc_mcontext.gregs;
  SettleWrite(thread);  // of the handler
  thread.slot.at_point = 0;
  if (registers[REG_RIP] != frame.shown_pc) return;
  thread.written = frame.written;
  thread.slot.at_point = frame.at_point;
  if (frame.stub_pc == 0) return;
  registers[REG_RIP] = frame.stub_pc;
  registers[REG_RSP] = frame.stub_sp;
}

// How many bytes of floating-point state the kernel has saved: as told in a
// part of the area that the processor does not use.
size_t FloatingPointBytes(const ucontext_t& machine) {
  constexpr size_t kReserved = 464;
  constexpr uint32_t kMagic = 0x46505853;
  constexpr size_t kLegacy = 512;
  if (machine.uc_mcontext.fpregs == nullptr) return 0;
  uint32_t words[2];  // magic, size
  memcpy(words,
         reinterpret_cast<const char*>(machine.uc_mcontext.fpregs) + kReserved,
         sizeof(words));
  return words[0] == kMagic ? words[1] : kLegacy;
}

// Goes on where frame.machine says, by the kernel's own return from a handler.
[[noreturn]] void Return(Frame* frame) {
  // The kernel looks for the ucontext at the stack pointer.
  asm volatile(
      "movq %0, %%rsp\n\t"
      "movl $15, %%eax\n\t"
      "syscall"
      :
      : "r"(&frame->machine)
      : "memory");
  __builtin_unreachable();
}

// The first function on the handler's stack.
void RunOnItsStack(Frame* frame) {
  Thread& thread = *frame->thread;
  const int signal = frame->info.si_signo;
  SignalSet mask = thread.signals.mask | frame->action.mask;
  if ((frame->action.flags & SA_NODEFER) == 0) mask |= Only(signal);
  SetMask(thread, mask);
  if ((frame->action.flags & SA_RESETHAND) != 0) ResetAction(signal);
  {
    ProgramScope program(thread);
    if ((frame->action.flags & SA_SIGINFO) != 0) {
      frame->action.informed(signal, &frame->info, &frame->machine);
    } else {
      frame->action.handler(signal);
    }
  }
  memcpy(&mask, &frame->machine.uc_sigmask, sizeof(mask));
  SetMask(thread, mask);
  thread.slot.inside = frame->inside;
  ResumeAccess(thread, *frame);
  frame->machine.uc_stack = frame->kernel_stack;
  memcpy(&frame->machine.uc_sigmask, &frame->kernel_mask, sizeof(SignalSet));
  Return(frame);
}

void RunDetour(Frame* frame) {
  Thread& thread = *frame->thread;
  frame->detour(thread);
  thread.slot.inside = frame->inside;
  Return(frame);
}

// Copies what the kernel has saved to below `at`; the thread goes on with
// `next` there.
Frame& MoveFrame(Thread& thread, ucontext_t* machine, uintptr_t at,
                 void (*next)(Frame*)) {
  const size_t state_bytes = FloatingPointBytes(*machine);
  at = (at - state_bytes) & ~uintptr_t{63};
  auto* state = reinterpret_cast<_libc_fpstate*>(at);
  if (state_bytes != 0) {
    memcpy(static_cast<void*>(state), machine->uc_mcontext.fpregs, state_bytes);
  }
  at = (at - sizeof(Frame)) & ~uintptr_t{15};
  auto* frame = reinterpret_cast<Frame*>(at);
  memset(static_cast<void*>(frame), 0, sizeof(Frame));
  memcpy(static_cast<void*>(&frame->machine), machine, kContextBytes);
  if (state_bytes != 0) frame->machine.uc_mcontext.fpregs = state;
  frame->thread = &thread;
  frame->kernel_stack = machine->uc_stack;
  memcpy(&frame->kernel_mask, &machine->uc_sigmask, sizeof(SignalSet));
  frame->inside = thread.slot.inside;
  thread.slot.inside = 1;
  greg_t* registers = machine->uc_mcontext.gregs;
  registers[REG_RIP] = reinterpret_cast<greg_t>(next);
  registers[REG_RDI] = reinterpret_cast<greg_t>(frame);
  registers[REG_RSP] = static_cast<greg_t>(at - sizeof(void*));
  registers[REG_RBP] = 0;
  registers[REG_EFL] &= ~kClearedFlags;
  return *frame;
}

// Where the handler's stack begins; 0 = nowhere.
uintptr_t StackFor(const Thread& thread, const Action& action,
                   uintptr_t pointer) {
  const bool alternate =
      (action.flags & SA_ONSTACK) != 0 && thread.signals.stack.ss_size != 0;
  if (alternate &&
      !OnAlternate(thread, reinterpret_cast<const void*>(pointer))) {
    return reinterpret_cast<uintptr_t>(TopOfAlternate(thread));
  }
  const auto limit = reinterpret_cast<uintptr_t>(thread.stack_limit);
  const auto top = reinterpret_cast<uintptr_t>(thread.stack_top);
  constexpr uintptr_t kRoom = 4 * kPage;
  if (pointer < top && pointer < limit + kRoom && pointer > limit - kRoom) {
    return 0;
  }
  return pointer - kRedZoneBytes;
}

}  // namespace

bool IsStackOverflow(const Thread& thread, const void* address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  const auto limit = reinterpret_cast<uintptr_t>(thread.stack_limit);
  if (limit == 0 || at >= limit + kPage) return false;
  // Large frames reach beyond the guard. Nothing else lies in our own slots.
  if (limit >= kStacksBegin && limit < kStacksEnd) {
    return at >= limit - limit % kSlotBytes;
  }
  const uintptr_t guard =
      thread.guard_bytes > kPage ? thread.guard_bytes : kPage;
  return at >= limit - guard - kPage;
}

bool GoToHandler(Thread& thread, siginfo_t* info, ucontext_t* machine) {
  const int signal = info->si_signo;
  const Action action = ActionOf(signal);
  if (!action.HasHandler() || Has(thread.signals.mask, signal)) return false;
  const greg_t* registers = machine->uc_mcontext.gregs;
  const uintptr_t at =
      StackFor(thread, action, static_cast<uintptr_t>(registers[REG_RSP]));
  if (at == 0) return false;
  Frame& frame = MoveFrame(thread, machine, at, RunOnItsStack);
  frame.info = *info;
  frame.action = action;
  greg_t* shown = frame.machine.uc_mcontext.gregs;
  const greg_t pc = shown[REG_RIP], sp = shown[REG_RSP];
  if (StepOutOfStub(thread, shown)) {
    frame.stub_pc = pc;
    frame.stub_sp = sp;
  }
  frame.shown_pc = shown[REG_RIP];
  frame.written = thread.written;
  frame.at_point = thread.slot.at_point;
  thread.slot.at_point = 0;
  frame.machine.uc_stack = thread.signals.stack;
  memcpy(&frame.machine.uc_sigmask, &thread.signals.mask, sizeof(SignalSet));
  emitter().Emit(thread, EventKind::kSignalDelivered, 0, nullptr,
                 static_cast<uint64_t>(signal));
  return true;
}

bool GoByDetour(Thread& thread, ucontext_t* machine, void (*detour)(Thread&)) {
  const greg_t* registers = machine->uc_mcontext.gregs;
  const uintptr_t at =
      StackFor(thread, {}, static_cast<uintptr_t>(registers[REG_RSP]));
  if (at == 0) return false;
  MoveFrame(thread, machine, at, RunDetour).detour = detour;
  return true;
}

}  // namespace fairlead::rt
