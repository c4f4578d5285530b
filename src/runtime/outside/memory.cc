// runtime/outside/memory.cc
//
// Memory mapped past libc's mmap: by libc itself, the dynamic linker, and
// runtimes that make their own system calls, such as AddressSanitizer's. Such
// mappings get addresses that repeat, too. There are no events for those of a
// sanitizer: they are not the program's doing.

#include "runtime/company/sanitizer.h"
#include "runtime/model/mappings.h"
#include "runtime/outside/call.h"

namespace fairlead::rt {

long MapForCall(Call& call) {
  const MapRequest request = {.address = call.pointer<void>(0),
                              .bytes = static_cast<size_t>(call.args[1]),
                              .protection = static_cast<int>(call.args[2]),
                              .flags = static_cast<int>(call.args[3]),
                              .fd = static_cast<int>(call.args[4]),
                              .offset = call.args[5]};
  if (InSanitizer(call.caller)) return MapQuietly(request);
  return MapMemory(*call.thread, request, call.place());
}

long UnmapForCall(Call& call) {
  ForgetWrite(*call.thread);
  if (InSanitizer(call.caller)) return AskKernel(call);
  return UnmapMemory(*call.thread, call.pointer<void>(0),
                     static_cast<size_t>(call.args[1]), call.place());
}

// mprotect and mremap.
long ChangeMapping(Call& call) {
  ForgetWrite(*call.thread);
  return AskKernel(call);
}

// Locks what is touched, when it is: our tables are sized for programs that
// nobody has, and to fill them would take minutes, in the kernel.
long LockMappings(Call& call) {
  constexpr long kOnFault = 4;  // MCL_ONFAULT
  call.args[0] |= kOnFault;
  return AskKernel(call);
}

}  // namespace fairlead::rt
