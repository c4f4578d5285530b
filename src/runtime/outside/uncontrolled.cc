// runtime/outside/uncontrolled.cc
//
// Calls that give somebody else a say in what threads do, or have the kernel
// keep a thread waiting at an instruction: each is told as not controlled, or
// answered as by a system that does not have it.

#include <errno.h>
#include <sys/ptrace.h>

#include "runtime/model/pids.h"
#include "runtime/outside/call.h"
#include "runtime/sys/page.h"

namespace fairlead::rt {

// Of children: they are not controlled in any case. To be traced by its parent,
// which is ours, is granted and has no effect: each of its system calls comes
// to us by a signal, for which it would be stopped.
long CallPtrace(Call& call) {
  CountUncontrolled(abi::Uncontrolled::kPtrace);
  if (call.args[0] == PTRACE_TRACEME) return 0;
  call.args[1] = RealPid(static_cast<int>(call.args[1]));
  return AskKernel(call);
}

// A thread that touches a page waits in the kernel, with the turn, until
// another one has brought the page: nobody would ever run again. As for users
// without the privilege, which is what most are.
long CallUserfaultfd(Call&) {
  CountUncontrolled(abi::Uncontrolled::kUserfault);
  return -EPERM;
}

// Restartable sequences are ended at the start (carrier/tls.h).
long CallRseq(Call&) { return -ENOSYS; }

}  // namespace fairlead::rt
