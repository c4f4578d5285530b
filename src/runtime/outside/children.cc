// runtime/outside/children.cc
//
// Waiting for children: a thread that waits for one parks, the others go on.
// When a child ends, which one, and its status are inputs; a followed execution
// has children of its own, and waits for the end of the same one.

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "runtime/gate/inputs.h"
#include "runtime/model/pids.h"
#include "runtime/outside/arrivals.h"
#include "runtime/outside/call.h"
#include "runtime/outside/child_programs.h"
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
  const bool ended = info.si_code == CLD_EXITED || info.si_code == CLD_KILLED ||
                     info.si_code == CLD_DUMPED;
  if (info.si_pid != 0 && ended) NoteEndOfChild(info.si_pid);
  return info.si_pid != 0 ? Found::kSomething : Found::kNothing;
}

Wanted FromWait4(const Call& call) {
  const auto pid = static_cast<int>(RealPid(static_cast<int>(call.args[0])));
  const int options = static_cast<int>(call.args[2]);
  Wanted wanted = {P_ALL, 0, WEXITED | (options & WCONTINUED)};
  if ((options & WUNTRACED) != 0) wanted.options |= WSTOPPED;
  if (pid > 0) wanted = {P_PID, pid, wanted.options};
  if (pid == 0) wanted = {P_PGID, 0, wanted.options};
  if (pid < -1) wanted = {P_PGID, -static_cast<long>(pid), wanted.options};
  return wanted;
}

Wanted FromWaitid(const Call& call) {
  const int type = static_cast<int>(call.args[0]);
  const bool names = type == P_PID || type == P_PGID;
  return {type, names ? RealPid(call.args[1]) : call.args[1],
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

// What a wait fills besides its result.
void NameOutputs(const Call& call, long told, Outputs& outputs) {
  if (told <= 0) return;
  if (call.number == SYS_waitid) {
    outputs.Add(call.pointer<siginfo_t>(2), sizeof(siginfo_t));
  } else {
    outputs.Add(call.pointer<int>(1), sizeof(int));
  }
}

// Who the call has found; negative = an error, 0 = nobody.
long FoundBy(const Call& call, long result) {
  if (result != 0 || call.number != SYS_waitid) return result;
  return call.pointer<siginfo_t>(2)->si_pid;
}

// The same call for one child, which has to come to its end here as well.
void AwaitSame(const Call& call, long told, int options_index) {
  Call one = call;
  siginfo_t unwanted = {};
  int status = 0;
  if (call.number == SYS_waitid) {
    one.args[0] = P_PID;
    one.args[1] = RealPid(told);
    one.args[2] = sys::Arg(&unwanted);
  } else {
    one.args[0] = RealPid(told);
    one.args[1] = sys::Arg(&status);
  }
  one.args[options_index] &= ~static_cast<long>(WNOHANG);
  AskKernel(one);
}

// Asks, when there is something to be told. 0 = another thread was faster.
// Which child it is, and how it ended, are inputs.
long Ask(Call& call, int options_index) {
  const Tid tid = call.thread->tid;
  if (inputs().fed()) {
    const abi::InputRecord* record = inputs().Take(tid, abi::InputKind::kPid);
    if (record != nullptr) {
      const auto told = static_cast<long>(record->value);
      if (told > 0) AwaitSame(call, told, options_index);
      Outputs outputs;
      NameOutputs(call, told, outputs);
      inputs().Fill(*record, outputs);
      return call.number == SYS_waitid && told > 0 ? 0 : told;
    }
  }
  Call once = call;
  once.args[options_index] |= WNOHANG;
  const int at = call.number == SYS_waitid ? 1 : 0;
  once.args[at] = RealPid(static_cast<int>(once.args[at]));
  const long result = KnownPid(AskKernel(once));
  const long found = FoundBy(call, result);
  if (found == 0) return 0;
  Outputs outputs;
  NameOutputs(call, found, outputs);
  inputs().Record(tid, abi::InputKind::kPid, static_cast<uint64_t>(found),
                  &outputs);
  return result;
}

bool IsTold(const Call& call, long result) {
  return FoundBy(call, result) != 0;
}

long Poll(Call& call, const Wanted& wanted, int options_index) {
  if (Find(call, wanted) != Found::kNothing) return Ask(call, options_index);
  FoundNothing(call, true, wanted.id);
  return 0;
}

// A parked thread, as the gate looks at it.
bool IsThere(const OutsideWait& wait) {
  return LookFor(*static_cast<const Wanted*>(wait.sought)) != Found::kNothing;
}

// Whether the execution that is followed found that another thread was faster.
bool WaitsAgain(const Call& call) {
  if (!inputs().fed()) return false;
  const abi::InputRecord* next = inputs().Peek(call.thread->tid);
  return next != nullptr && next->kind == abi::InputKind::kReadiness;
}

// Parks until there is something to be told, then asks.
long Wait(Call& call, const Wanted& wanted, int options_index) {
  if (Find(call, wanted) == Found::kNobody) return Ask(call, options_index);
  // The kernel tells of children by this signal, which ends a real wait.
  TakeOver(Only(SIGCHLD));
  for (;;) {
    OutsideWait wait = {.fds = nullptr,
                        .num_fds = 0,
                        .foreign = true,
                        .look = IsThere,
                        .sought = &wanted,
                        .what = "a child process"};
    const Wake wake = AwaitOutside(call, wait, nullptr, kNoDeadline);
    if (wake != Wake::kReady) return EndedEarly(call, wake);
    if (WaitsAgain(call)) continue;
    const long result = Ask(call, options_index);
    if (IsTold(call, result)) return result;
  }
}

}  // namespace

long CallWait4(Call& call) {
  int unwanted = 0;
  if (call.args[1] == 0) call.args[1] = sys::Arg(&unwanted);
  const Wanted wanted = FromWait4(call);
  if ((call.args[2] & WNOHANG) != 0) return Poll(call, wanted, 2);
  return Wait(call, wanted, 2);
}

long CallWaitid(Call& call) {
  const Wanted wanted = FromWaitid(call);
  const bool is_known = wanted.type == P_ALL || wanted.type == P_PID ||
                        wanted.type == P_PGID || wanted.type == P_PIDFD;
  if (!is_known || wanted.options == 0) return AskKernel(call);
  siginfo_t unwanted = {};
  if (call.args[2] == 0) call.args[2] = sys::Arg(&unwanted);
  *call.pointer<siginfo_t>(2) = {};
  if ((call.args[3] & WNOHANG) != 0) return Poll(call, wanted, 3);
  return Wait(call, wanted, 3);
}

}  // namespace fairlead::rt
