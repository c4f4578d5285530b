// runtime/intercept/raw_syscall.cc
//
// syscall(): the program calls the kernel by number. The rules all hooks obey
// are in runtime/README.md.

#include <stdarg.h>
#include <sys/syscall.h>

#include "runtime/gate/hook.h"
#include "runtime/outside/call.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

namespace {

// The child of these must begin behind the real call.
bool MakesProcess(long number) {
  return number == SYS_clone || number == SYS_clone3 || number == SYS_vfork ||
         number == SYS_fork || number == SYS_rt_sigreturn;
}

}  // namespace

extern "C" FL_HOOK long syscall(long number, ...) {
  va_list arguments;
  va_start(arguments, number);
  long a[6];
  for (long& argument : a) argument = va_arg(arguments, long);
  va_end(arguments);
  if (!MakesProcess(number)) {
    HookScope hook(FL_CALLER);
    if (hook.controlled()) {
      Call call = {.number = number,
                   .args = {a[0], a[1], a[2], a[3], a[4], a[5]},
                   .caller = FL_CALLER,
                   .thread = &hook.thread()};
      const long result = Perform(call);
      return sys::Failed(result) ? hook.Fail(static_cast<int>(-result))
                                 : result;
    }
  }
  return real().syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
