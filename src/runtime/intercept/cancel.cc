// runtime/intercept/cancel.cc
//
// pthread_cancel and what goes with it, and the functions behind
// pthread_cleanup_push and pthread_cleanup_pop. The rules all hooks obey are in
// runtime/README.md.

#include "runtime/model/cancel.h"

#include "runtime/gate/hook.h"
#include "runtime/model/unwind.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

namespace {

CleanupBuffer* Own(__pthread_unwind_buf_t* buffer) {
  return reinterpret_cast<CleanupBuffer*>(buffer);
}

void Push(Thread& thread, CleanupBuffer* buffer, void* sp) {
  buffer->outer = thread.leave.cleanup;
  buffer->sp = reinterpret_cast<uintptr_t>(sp);
  thread.leave.cleanup = buffer;
}

}  // namespace

namespace fairlead::rt {

void HookScope::CancelNow() {
  thread_->place = place();
  CancelSelf(*thread_);
}

}  // namespace fairlead::rt

extern "C" FL_HOOK int pthread_cancel(pthread_t handle) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_cancel(handle);
  return CancelThread(hook.thread(), handle, hook.place());
}

extern "C" FL_HOOK void pthread_testcancel() {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_testcancel();
  TestCancel(hook.thread(), hook.place());
}

extern "C" FL_HOOK int pthread_setcancelstate(int state, int* old) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_setcancelstate(state, old);
  return SetCancelState(hook.thread(), state, old, hook.place());
}

extern "C" FL_HOOK int pthread_setcanceltype(int type, int* old) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_setcanceltype(type, old);
  return SetCancelType(hook.thread(), type, old, hook.place());
}

extern "C" FL_HOOK void __pthread_register_cancel(
    __pthread_unwind_buf_t* buffer) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().__pthread_register_cancel(buffer);
  Push(hook.thread(), Own(buffer), __builtin_dwarf_cfa());
}

extern "C" FL_HOOK void __pthread_unregister_cancel(
    __pthread_unwind_buf_t* buffer) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().__pthread_unregister_cancel(buffer);
  hook.thread().leave.cleanup = Own(buffer)->outer;
}

extern "C" FL_HOOK void __pthread_register_cancel_defer(
    __pthread_unwind_buf_t* buffer) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().__pthread_register_cancel_defer(buffer);
  Push(hook.thread(), Own(buffer), __builtin_dwarf_cfa());
  SetCancelType(hook.thread(), PTHREAD_CANCEL_DEFERRED,
                &Own(buffer)->saved_type, hook.place());
}

extern "C" FL_HOOK void __pthread_unregister_cancel_restore(
    __pthread_unwind_buf_t* buffer) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) {
    return real().__pthread_unregister_cancel_restore(buffer);
  }
  hook.thread().leave.cleanup = Own(buffer)->outer;
  SetCancelType(hook.thread(), Own(buffer)->saved_type, nullptr, hook.place());
}

// A handler has run: on to the next one.
extern "C" FL_HOOK void __pthread_unwind_next(__pthread_unwind_buf_t* buffer) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) real().__pthread_unwind_next(buffer);
  hook.thread().leave.cleanup = Own(buffer)->outer;
  LeaveProgram(hook.thread());
}
