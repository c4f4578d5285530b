// runtime/outside/rings.cc
//
// io_uring. The kernel works on what is put into a ring beside the threads, and
// writes results into memory that it shares with them: none of that is seen, so
// rings are told as not controlled. What can be done is to let the others run
// while a thread waits for results.
//
// Unsound: results are not inputs of the schedule; a replay gets others.

#include <linux/io_uring.h>
#include <sys/mman.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/outside/call.h"
#include "runtime/outside/waiting.h"
#include "runtime/sys/page.h"

namespace fairlead::rt {

long CallUringSetup(Call& call) {
  CountUncontrolled(abi::Uncontrolled::kUring);
  return AskKernel(call);
}

// io_uring_enter(ring, to_submit, min_complete, flags, ...).
long CallUringEnter(Call& call) {
  constexpr int kSubmitted = 1;
  constexpr int kWanted = 2;
  constexpr int kFlags = 3;
  const bool waits = call.args[kWanted] != 0 &&
                     (call.args[kFlags] & IORING_ENTER_GETEVENTS) != 0;
  // With a time limit of its own, the kernel's wait is bounded.
  if (!waits || (call.args[kFlags] & IORING_ENTER_EXT_ARG) != 0) {
    return AskKernel(call);
  }
  Call submit = call;
  submit.args[kWanted] = 0;
  const long submitted = AskKernel(submit);
  OutsideChanged();
  if (sys::Failed(submitted)) return submitted;
  // A ring can be read when it holds a result.
  pollfd ring = {.fd = call.fd(), .events = POLLIN, .revents = 0};
  OutsideWait wait = {.fds = &ring, .num_fds = 1, .foreign = true};
  const Wake wake = AwaitOutside(call, wait, ObjectOf(call.fd()), kNoDeadline);
  if (wake != Wake::kReady) return EndedEarly(call, wake);
  emitter().Emit(*call.thread, EventKind::kUse, abi::kFlagPoint, nullptr,
                 static_cast<uint64_t>(call.fd()));
  if (call.args[kWanted] == 1) return submitted;
  // How many there are is known to the kernel alone.
  Call rest = call;
  rest.args[kSubmitted] = 0;
  const long got = AskKernel(rest);
  return sys::Failed(got) ? got : submitted;
}

}  // namespace fairlead::rt
