// runtime/outside/passing.cc
//
// System calls that a signal handler cannot simply make in the program's place:
// a new thread or process would begin in the middle of the handler, and what
// the kernel restores when the handler returns (the signal mask, the alternate
// stack) would undo the call. Each has the effect of the real one.

#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <string.h>

#include "runtime/model/pids.h"
#include "runtime/outside/call.h"
#include "runtime/outside/descriptors.h"
#include "runtime/outside/foreign.h"
#include "runtime/outside/fork.h"
#include "runtime/outside/passing.h"
#include "runtime/outside/processor.h"
#include "runtime/sys/dispatch.h"
#include "runtime/sys/page.h"

namespace fairlead::rt {
namespace {

// What __fl_clone takes off the child's stack, and what is then above it: the
// child goes on in the program, behind its call.
struct ChildFrame {
  long r15, r14, r13, r12, rbp, rbx, r10, r9, r8, rdi, rsi, rdx, rip;
};

// Puts a frame below `stack`; returns where it is.
long PutChildFrame(const ucontext_t& parent, long stack) {
  const auto& saved = parent.uc_mcontext.gregs;
  const ChildFrame frame = {saved[REG_R15], saved[REG_R14], saved[REG_R13],
                            saved[REG_R12], saved[REG_RBP], saved[REG_RBX],
                            saved[REG_R10], saved[REG_R9],  saved[REG_R8],
                            saved[REG_RDI], saved[REG_RSI], saved[REG_RDX],
                            saved[REG_RIP]};
  auto* at = reinterpret_cast<ChildFrame*>(stack) - 1;
  memcpy(at, &frame, sizeof(frame));
  return reinterpret_cast<long>(at);
}

// Without a stack of its own, a child that shares memory would run over our
// frames while its parent waits: it gets memory of its own, which POSIX allows
// for vfork.
uint64_t FlagsWithoutStack(uint64_t flags) {
  return (flags & CLONE_VFORK) != 0 ? flags & ~uint64_t{CLONE_VM} : flags;
}

// What the program is told of a child's id; 0 in the child itself.
long TellChild(Call& call, long result, Untrapped& untrapped) {
  if (result == 0) {
    untrapped.StaysOut();
    LeaveInChild(call.frame);
  }
  return result != 0 && call.thread != nullptr ? ToldPid(*call.thread, result)
                                               : result;
}

// A process beside ours was made, which handlers of fork were not told of; in
// this way mostly to become another program.
long CountChild(const Call& call, long result) {
  if (result > 0 && call.thread != nullptr) {
    CountUncontrolled(abi::Uncontrolled::kForkedChild);
    CountUncontrolled(abi::Uncontrolled::kChildProgram);
  }
  return result;
}

// A thread beside ours: it gets its own thread-local storage, which `tls` is,
// and no claim to its maker's.
uint64_t FlagsForForeign(const Call& call, uint64_t flags, uint64_t& tls) {
  if (!MakesForeignThread(flags)) return flags;
  NoteForeignClone(call);
  if ((flags & CLONE_SETTLS) != 0) return flags;
  void* storage = StorageForForeign();
  if (storage == nullptr) return flags;
  tls = reinterpret_cast<uint64_t>(storage);
  return flags | CLONE_SETTLS;
}

uint64_t KernelMask(const sigset_t& set) {
  uint64_t mask;
  memcpy(&mask, &set, sizeof(mask));
  return mask;
}

// As the kernel has it.
struct KernelAction {
  void* handler;
  unsigned long flags;
  void* restorer;
  uint64_t mask;
};

}  // namespace

long PassClone(Call& call) {
  const long stack = call.args[1];
  if ((call.args[0] & CLONE_FILES) == 0) ShareDescriptors();
  if (call.frame == nullptr) return AskKernel(call);
  Untrapped untrapped;
  const auto asked = static_cast<uint64_t>(call.args[0]);
  if (stack == 0) {
    call.args[0] = static_cast<long>(FlagsWithoutStack(asked));
    const long child = AskKernel(call);
    if ((asked & CLONE_VFORK) != 0) CountChild(call, child);
    return TellChild(call, child, untrapped);
  }
  auto tls = static_cast<uint64_t>(call.args[4]);
  const uint64_t flags = FlagsForForeign(call, asked, tls);
  const long arguments[] = {call.number,
                            static_cast<long>(flags),
                            PutChildFrame(*call.frame, stack),
                            call.args[2],
                            call.args[3],
                            static_cast<long>(tls),
                            0};
  const long result = __fl_clone(arguments);
  if (!MakesForeignThread(asked)) CountChild(call, result);
  return call.thread == nullptr ? result : ToldPid(*call.thread, result);
}

long PassClone3(Call& call) {
  if (call.frame == nullptr) return AskKernel(call);
  clone_args args = {};
  const auto size = static_cast<size_t>(call.args[1]);
  // What is larger than we know is for calls that we do not know either.
  if (size > sizeof(args) || size < CLONE_ARGS_SIZE_VER0) {
    return AskKernel(call);
  }
  memcpy(&args, call.pointer<void>(0), size);
  if ((args.flags & CLONE_FILES) == 0) ShareDescriptors();
  if (args.stack == 0) {
    args.flags = FlagsWithoutStack(args.flags);
  } else {
    uint64_t tls = args.tls;
    args.flags = FlagsForForeign(call, args.flags, tls);
    args.tls = tls;
    const auto top = static_cast<long>(args.stack + args.stack_size);
    const long frame = PutChildFrame(*call.frame, top);
    args.stack_size -= static_cast<uint64_t>(top - frame);
  }
  Untrapped untrapped;
  const long arguments[] = {
      call.number, sys::Arg(&args), static_cast<long>(size), 0, 0, 0, 0};
  if (args.stack == 0) {
    const long child = sys::Call(call.number, arguments[1], arguments[2]);
    if ((args.flags & CLONE_VFORK) != 0) CountChild(call, child);
    return TellChild(call, child, untrapped);
  }
  const long result = __fl_clone(arguments);
  if (!MakesForeignThread(args.flags)) CountChild(call, result);
  return call.thread == nullptr ? result : ToldPid(*call.thread, result);
}

long PassVfork(Call& call) {
  ShareDescriptors();
  if (call.frame == nullptr) return AskKernel(call);
  Untrapped untrapped;
  const long child = sys::Call(SYS_clone, CLONE_VFORK | SIGCHLD, 0);
  return TellChild(call, CountChild(call, child), untrapped);
}

long PassSigprocmask(Call& call) {
  const auto* wanted = call.pointer<const uint64_t>(1);
  auto* old = call.pointer<uint64_t>(2);
  if (call.args[3] != sizeof(uint64_t)) return -EINVAL;
  uint64_t set = 0;
  if (wanted != nullptr) set = WithoutOurSignals(*wanted);
  if (call.frame == nullptr) {
    return sys::Call(call.number, call.args[0],
                     wanted == nullptr ? 0 : sys::Arg(&set), sys::Arg(old),
                     sizeof(set));
  }
  uint64_t mask = KernelMask(call.frame->uc_sigmask);
  if (old != nullptr) *old = mask;
  if (wanted == nullptr) return 0;
  switch (call.args[0]) {
    case SIG_BLOCK:
      mask |= set;
      break;
    case SIG_UNBLOCK:
      mask &= ~set;
      break;
    case SIG_SETMASK:
      mask = set;
      break;
    default:
      return -EINVAL;
  }
  memcpy(&call.frame->uc_sigmask, &mask, sizeof(mask));
  return 0;
}

long PassSigaltstack(Call& call) {
  const long result = AskKernel(call);
  if (result == 0 && call.frame != nullptr && call.args[0] != 0) {
    call.frame->uc_stack = *call.pointer<stack_t>(0);
  }
  return result;
}

long PassSigaction(Call& call) {
  const auto* wanted = call.pointer<const KernelAction>(1);
  if (wanted == nullptr) return AskKernel(call);
  // Ours; the program's would never be called.
  if (call.args[0] == SIGSYS) return 0;
  KernelAction action = *wanted;
  action.mask = WithoutOurSignals(action.mask);
  return sys::Call(call.number, call.args[0], sys::Arg(&action), call.args[2],
                   call.args[3]);
}

long PassSigsuspend(Call& call) {
  if (call.args[1] != sizeof(uint64_t)) return -EINVAL;
  const uint64_t mask = WithoutOurSignals(*call.pointer<const uint64_t>(0));
  return sys::Call(call.number, sys::Arg(&mask), sizeof(mask));
}

}  // namespace fairlead::rt
