// runtime/intercept/mappings.cc
//
// mmap and its relatives. The rules all hooks obey are in runtime/README.md.

#include "runtime/model/mappings.h"

#include <stdarg.h>
#include <sys/mman.h>

#include "runtime/gate/hook.h"
#include "runtime/sys/syscall.h"

using namespace fairlead;
using namespace fairlead::rt;

namespace {

// A result of the kernel's as libc returns it.
void* Mapped(HookScope& hook, long result) {
  if (!sys::Failed(result)) return reinterpret_cast<void*>(result);
  hook.Fail(static_cast<int>(-result));
  return MAP_FAILED;
}
int Done(HookScope& hook, long result) {
  return sys::Failed(result) ? hook.Fail(static_cast<int>(-result)) : 0;
}

void* MapFor(const MapRequest& request, const void* caller) {
  HookScope hook(caller);
  if (!hook.controlled()) {
    return Mapped(
        hook, sys::Call(SYS_mmap, sys::Arg(request.address),
                        static_cast<long>(request.bytes), request.protection,
                        request.flags, request.fd, request.offset));
  }
  return Mapped(hook, MapMemory(hook.thread(), request, hook.place()));
}

}  // namespace

extern "C" FL_HOOK void* mmap(void* address, size_t bytes, int protection,
                              int flags, int fd, off_t offset) {
  return MapFor({address, bytes, protection, flags, fd, offset}, FL_CALLER);
}

extern "C" FL_HOOK void* mmap64(void* address, size_t bytes, int protection,
                                int flags, int fd, off_t offset) {
  return MapFor({address, bytes, protection, flags, fd, offset}, FL_CALLER);
}

extern "C" FL_HOOK int munmap(void* address, size_t bytes) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return Done(hook, sys::Unmap(address, bytes));
  return Done(hook, UnmapMemory(hook.thread(), address, bytes, hook.place()));
}

extern "C" FL_HOOK void* mremap(void* address, size_t old_bytes, size_t bytes,
                                int flags, ...) {
  va_list more;
  va_start(more, flags);
  void* wanted = va_arg(more, void*);
  va_end(more);
  HookScope hook(FL_CALLER);
  if (hook.controlled()) ForgetWrite(hook.thread());
  return Mapped(
      hook,
      sys::Call(SYS_mremap, sys::Arg(address), static_cast<long>(old_bytes),
                static_cast<long>(bytes), flags, sys::Arg(wanted)));
}

extern "C" FL_HOOK int mprotect(void* address, size_t bytes, int protection) {
  HookScope hook(FL_CALLER);
  if (hook.controlled()) ForgetWrite(hook.thread());
  return Done(hook, sys::Protect(address, bytes, protection));
}
