#include "runtime/model/unwind.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unwind.h>

#include "runtime/gate/hook.h"
#include "runtime/sys/check.h"

namespace fairlead::rt {
namespace {

struct Unwinder {
  decltype(&_Unwind_ForcedUnwind) force;
  decltype(&_Unwind_GetCFA) frame_sp;
};
Unwinder unwinder;

bool LoadUnwinder() {
  if (unwinder.force != nullptr) return true;
  void* library = dlopen("libgcc_s.so.1", RTLD_NOW);
  if (library == nullptr) return false;
  unwinder.frame_sp = reinterpret_cast<decltype(unwinder.frame_sp)>(
      dlsym(library, "_Unwind_GetCFA"));
  if (unwinder.frame_sp == nullptr) return false;
  unwinder.force = reinterpret_cast<decltype(unwinder.force)>(
      dlsym(library, "_Unwind_ForcedUnwind"));
  return unwinder.force != nullptr;
}

// A catch block has ended without throwing again, which libc answers so too.
void Swallowed(_Unwind_Reason_Code, _Unwind_Exception*) {
  Log("a catch block has kept the exception that ends its thread "
      "(abi::__forced_unwind); it must throw it again");
  abort();
}

[[noreturn]] void JumpToHandlerOrBase(Thread& thread) {
  CleanupBuffer* handler = thread.leave.cleanup;
  if (handler == nullptr) longjmp(thread.leave.base, 1);
  longjmp(reinterpret_cast<__jmp_buf_tag*>(handler), 1);
}

// Asked by the unwinder before it unwinds each frame: the frame's stack pointer
// tells whether it is the one that the next handler belongs to.
_Unwind_Reason_Code Stop(int, _Unwind_Action actions, _Unwind_Exception_Class,
                         _Unwind_Exception*, _Unwind_Context* frame,
                         void* argument) {
  auto& thread = *static_cast<Thread*>(argument);
  const uintptr_t sp = unwinder.frame_sp(frame);
  const CleanupBuffer* handler = thread.leave.cleanup;
  const uintptr_t target =
      handler != nullptr ? handler->sp : thread.leave.base_sp;
  if ((actions & _UA_END_OF_STACK) != 0 || sp >= target) {
    JumpToHandlerOrBase(thread);
  }
  return _URC_NO_REASON;
}

// Apart, so that its caller's stack pointer is the one that unwinding finds.
__attribute__((noinline)) void CallProgram(Thread& thread, void (*body)(void*),
                                           void* argument) {
  thread.leave.base_sp = reinterpret_cast<uintptr_t>(__builtin_dwarf_cfa());
  ProgramScope program(thread);
  body(argument);
}

}  // namespace

void RunProgram(Thread& thread, void (*body)(void*), void* argument) {
  const uint8_t inside = thread.slot.inside;
  if (_setjmp(thread.leave.base) == 0) {
    CallProgram(thread, body, argument);
  } else {
    thread.slot.inside = inside;
  }
}

void LeaveProgram(Thread& thread) {
  static_assert(sizeof(_Unwind_Exception) <= sizeof(thread.leave.exception));
  thread.leave.leaving = true;
  thread.leave.due = false;
  thread.slot.inside = 1;
  const bool loaded = LoadUnwinder();
  thread.slot.inside = 0;
  thread.quiet = 0;
  if (loaded) {
    auto* exception =
        reinterpret_cast<_Unwind_Exception*>(thread.leave.exception);
    *exception = {};
    exception->exception_cleanup = Swallowed;
    unwinder.force(exception, Stop, &thread);
  }
  // No unwinder, or a frame that it cannot read: without destructors, then.
  JumpToHandlerOrBase(thread);
}

}  // namespace fairlead::rt
