// runtime/outside/children.cc
//
// Waiting for children: a thread that waits for one parks, the others go on.
// When a child ends is an input; its number and status come from the kernel
// each time, since they belong to a process that this execution has made.

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "runtime/intercept/arrivals.h"
#include "runtime/outside/call.h"
#include "runtime/outside/inputs.h"
#include "runtime/outside/waiting.h"

namespace fairlead::rt {
namespace {

// A wait in the words of waitid, for looking without taking.
struct Wanted {
  int type;  // P_ALL, P_PID, P_PGID, P_PIDFD
  long id;
  int options;  // WEXITED, WSTOPPED, WCONTINUED
};

enum class Found : uint8_t { kNothing, kSomething, kNobody };

Found LookFor(const Wanted& wanted) {
  siginfo_t info = {};
  const long result =
      sys::Call(SYS_waitid, wanted.type, wanted.id, sys::Arg(&info),
                wanted.options | WNOHANG | WNOWAIT, 0);
  if (result < 0) return Found::kNobody;
  return info.si_pid != 0 ? Found::kSomething : Found::kNothing;
}

Wanted FromWait4(const Call& call) {
  const auto pid = static_cast<int>(call.args[0]);
  const int options = static_cast<int>(call.args[2]);
  Wanted wanted = {P_ALL, 0, WEXITED | (options & WCONTINUED)};
  if ((options & WUNTRACED) != 0) wanted.options |= WSTOPPED;
  if (pid > 0) wanted = {P_PID, pid, wanted.options};
  if (pid == 0) wanted = {P_PGID, 0, wanted.options};
  if (pid < -1) wanted = {P_PGID, -static_cast<long>(pid), wanted.options};
  return wanted;
}

Wanted FromWaitid(const Call& call) {
  return {static_cast<int>(call.args[0]), call.args[1],
          static_cast<int>(call.args[3]) & (WEXITED | WSTOPPED | WCONTINUED)};
}

// The same as an input.
Found Find(const Call& call, const Wanted& wanted) {
  const Tid tid = call.thread->tid;
  if (inputs().fed()) {
    const abi::InputRecord* record =
        inputs().Take(tid, abi::InputKind::kResult);
    if (record != nullptr) return static_cast<Found>(record->value);
  }
  const Found found = LookFor(wanted);
  inputs().Record(tid, abi::InputKind::kResult, static_cast<uint64_t>(found));
  return found;
}

// The call itself is made for real, and waits for real if the schedule says
// that there was something.
long Poll(Call& call, const Wanted& wanted, int options_index) {
  if (Find(call, wanted) == Found::kNothing) {
    FoundNothing(call, true, wanted.id);
    return 0;
  }
  call.args[options_index] &= ~static_cast<long>(WNOHANG);
  return AskKernel(call);
}

// A parked thread, as the gate looks at it.
bool IsThere(const OutsideWait& wait) {
  return LookFor(*static_cast<const Wanted*>(wait.sought)) != Found::kNothing;
}

// Parks until there is something to be told, then asks.
long Wait(Call& call, const Wanted& wanted, int options_index) {
  if (Find(call, wanted) == Found::kNobody) return AskKernel(call);
  // The kernel tells of children by this signal, which ends a real wait.
  TakeOver(Only(SIGCHLD));
  for (;;) {
    OutsideWait wait = {.fds = nullptr,
                        .num_fds = 0,
                        .foreign = true,
                        .look = IsThere,
                        .sought = &wanted};
    const Wake wake = AwaitOutside(call, wait, nullptr, kNoDeadline);
    if (wake != Wake::kReady) return EndedEarly(call, wake);
    // It has ended in the execution that is being followed: here it will soon.
    if (inputs().fed()) return AskKernel(call);
    const long options = call.args[options_index];
    call.args[options_index] |= WNOHANG;
    const long result = AskKernel(call);
    call.args[options_index] = options;
    // Another thread may have been faster.
    if (result != 0) return result;
    if (call.number == SYS_waitid && call.pointer<siginfo_t>(2)->si_pid != 0) {
      return 0;
    }
  }
}

}  // namespace

long CallWait4(Call& call) {
  const Wanted wanted = FromWait4(call);
  if ((call.args[2] & WNOHANG) != 0) return Poll(call, wanted, 2);
  return Wait(call, wanted, 2);
}

long CallWaitid(Call& call) {
  const Wanted wanted = FromWaitid(call);
  const bool is_known =
      wanted.type == P_ALL || wanted.type == P_PID || wanted.type == P_PGID;
  if (!is_known || wanted.options == 0) return AskKernel(call);
  siginfo_t unwanted = {};
  if (call.args[2] == 0) call.args[2] = sys::Arg(&unwanted);
  *call.pointer<siginfo_t>(2) = {};
  if ((call.args[3] & WNOHANG) != 0) return Poll(call, wanted, 3);
  return Wait(call, wanted, 3);
}

}  // namespace fairlead::rt
