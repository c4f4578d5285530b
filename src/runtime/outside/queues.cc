// runtime/outside/queues.cc
//
// Semaphores and message queues of System V, which have no descriptors, and
// message queues of POSIX, which have. Whether one of the former is to be had
// is found out by taking it: a look at the world outside (outside/waiting.h)
// makes the call, in a way that does not wait, for the thread that is parked.
// They are domestic when they have no name and no child was ever made; else the
// calls are made again on replay, so that a child at the other end goes on.

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>

#include "runtime/model/deadline.h"
#include "runtime/outside/from_outside.h"
#include "runtime/outside/transfer.h"

namespace fairlead::rt {
namespace {

// At once; nobody is known to use more than a handful.
constexpr size_t kMostOperations = 64;
// For Taking: no result of the kernel's.
constexpr long kNeverBusy = -100'000;
// In events: something that has no descriptor. What the kernel numbers instead
// differs from one execution to the next.
constexpr uint64_t kNoDescriptor = ~uint64_t{0};
// On replay, for a child that is not where it was: in moments of a millisecond.
constexpr timespec kMoment = {.tv_sec = 0, .tv_nsec = 1'000'000};
constexpr int kMostMoments = 1000;

// What this process has made for itself alone, while it has no children.
constexpr size_t kMostOwn = 64;
struct Own {
  long number;  // of the call that made it
  long id;
};
Own own[kMostOwn];
size_t num_own = 0;

bool IsOwn(long number, long id) {
  if (HasShared()) return false;
  for (const Own& each : own) {
    if (each.number == number && each.id == id) return true;
  }
  return false;
}

void Tell(Call& call) {
  emitter().Emit(*call.thread, EventKind::kUse, abi::kFlagPoint, nullptr,
                 kNoDescriptor);
}

void Changed(Call& call) {
  gate().Progressed(*call.thread);
  Tell(call);
  OutsideChanged();
}

// A call that does not wait, made until it says something else than `busy`.
struct Taking {
  Call attempt;
  long busy;
  bool domestic;
  uint64_t deadline_ns = kNoDeadline;
  long result = 0;
  bool done = false;

  bool Try() {
    if (!done) result = AskKernel(attempt);
    done = done || result != busy;
    return done;
  }
};

bool IsTaken(const OutsideWait& wait) {
  return static_cast<Taking*>(const_cast<void*>(wait.sought))->Try();
}

// An execution that is followed had it here.
void TakeAgain(Taking& taking) {
  for (int i = 0; i < kMostMoments && !taking.Try(); ++i) {
    sys::Call(SYS_nanosleep, sys::Arg(&kMoment), 0);
  }
  taking.done = true;
}

template <typename NameOutputs>
long Take(Call& call, Taking& taking, NameOutputs name_outputs) {
  ArriveOutside(call, EventKind::kUse, nullptr);
  // Others may run, and have what it gives, before it comes back.
  Tell(call);
  while (!taking.done) {
    OutsideWait wait = {.fds = nullptr,
                        .num_fds = 0,
                        .foreign = !taking.domestic,
                        .interruption = Interruption::kAlways,
                        .look = IsTaken,
                        .sought = &taking,
                        .what = "a semaphore or queue of System V",
                        .unannounced = true};
    const Wake wake = AwaitOutside(call, wait, nullptr, taking.deadline_ns);
    if (taking.done) break;
    if (wake == Wake::kTimedOut) {
      Changed(call);
      return taking.busy;
    }
    if (wake != Wake::kReady) return EndedEarly(call, wake);
    if (inputs().fed()) TakeAgain(taking);
  }
  const long result = FromOutside(
      call, !taking.domestic, [&] { return taking.result; }, name_outputs);
  if (taking.busy == kNeverBusy && result < 0) {
    FoundNothing(call, !taking.domestic, call.number);
  }
  Changed(call);
  return result;
}

// A transfer that waits as long as argument 4 says: an absolute time, or null.
// False: the time makes no sense.
bool SetTimeout(Transfer& transfer) {
  const auto* when = transfer.call.pointer<const timespec>(4);
  if (when == nullptr) return true;
  const uint64_t deadline = DeadlineOf({CLOCK_REALTIME, when});
  if (deadline == kBadDeadline) return false;
  const uint64_t now = gate().now_ns();
  transfer.timeout_ns = deadline > now ? deadline - now : 1;
  return true;
}

// Sends or receives a message without waiting: the time is long over.
template <typename NameOutputs>
long PassMessage(Transfer transfer, NameOutputs name_outputs) {
  if (!SetTimeout(transfer)) return -EINVAL;
  constexpr timespec kLongOver = {};
  Call at_once = transfer.call;
  at_once.args[4] = sys::Arg(&kLongOver);
  const long result = Transact(
      transfer,
      [&] {
        const long got = AskKernel(at_once);
        return got == -ETIMEDOUT ? long{-EAGAIN} : got;
      },
      name_outputs);
  return WouldWait(result) && transfer.waits ? -ETIMEDOUT : result;
}

}  // namespace

long DoIpcGet(Call& call) {
  ArriveOutside(call, EventKind::kOpen, nullptr);
  const long id = AskKernel(call);
  if (id >= 0 && call.args[0] == IPC_PRIVATE) {
    own[num_own++ % kMostOwn] = {call.number, id};
  }
  return id;
}

// It may give to those who wait, or take from them.
long DoIpcControl(Call& call) {
  ArriveOutside(call, EventKind::kUse, nullptr);
  const long result = AskKernel(call);
  Changed(call);
  return result;
}

long DoSemop(Call& call) {
  const auto* asked = call.pointer<const sembuf>(1);
  const auto count = static_cast<size_t>(call.args[2]);
  const auto* time =
      call.number == SYS_semtimedop ? call.pointer<const timespec>(3) : nullptr;
  if (count > kMostOperations || asked == nullptr) return AskKernel(call);
  sembuf operations[kMostOperations];
  bool waits = true;
  for (size_t i = 0; i < count; ++i) {
    operations[i] = asked[i];
    if ((asked[i].sem_flg & IPC_NOWAIT) != 0) waits = false;
    operations[i].sem_flg |= IPC_NOWAIT;
  }
  Taking taking = {.attempt = call,
                   .busy = waits ? -EAGAIN : kNeverBusy,
                   .domestic = IsOwn(SYS_semget, call.args[0])};
  taking.attempt.number = SYS_semop;
  taking.attempt.args[1] = sys::Arg(operations);
  if (time != nullptr) {
    const uint64_t ns = DurationOf(time);
    if (ns == kBadDeadline) return -EINVAL;
    taking.deadline_ns = gate().now_ns() + ns;
  }
  return Take(call, taking, [](long, Outputs&) {});
}

long DoMsgsnd(Call& call) {
  const bool waits = (call.args[3] & IPC_NOWAIT) == 0;
  Taking taking = {.attempt = call,
                   .busy = waits ? -EAGAIN : kNeverBusy,
                   .domestic = IsOwn(SYS_msgget, call.args[0])};
  taking.attempt.args[3] |= IPC_NOWAIT;
  return Take(call, taking, [](long, Outputs&) {});
}

long DoMsgrcv(Call& call) {
  const bool waits = (call.args[4] & IPC_NOWAIT) == 0;
  Taking taking = {.attempt = call,
                   .busy = waits ? -ENOMSG : kNeverBusy,
                   .domestic = IsOwn(SYS_msgget, call.args[0])};
  taking.attempt.args[4] |= IPC_NOWAIT;
  return Take(call, taking, [&](long result, Outputs& outputs) {
    if (result < 0) return;
    outputs.Add(call.pointer<void>(1),
                sizeof(long) + static_cast<size_t>(result));
  });
}

long DoMqOpen(Call& call) {
  ArriveOutside(call, EventKind::kOpen, nullptr);
  const long result = AskKernel(call);
  if (result < 0) return result;
  SetDescriptor(result, {.kind = DescriptorKind::kOther,
                         .domestic = false,
                         .nonblocking = (call.args[1] & O_NONBLOCK) != 0,
                         .receive_ns = 0,
                         .send_ns = 0});
  return result;
}

long DoMqSend(Call& call) {
  return PassMessage(WritingTo(call, false), [](long, Outputs&) {});
}

long DoMqReceive(Call& call) {
  return PassMessage(
      ReadingFrom(call, false), [&](long result, Outputs& outputs) {
        if (result < 0) return;
        outputs.Add(call.pointer<void>(1), static_cast<size_t>(result));
        outputs.Add(call.pointer<void>(3), sizeof(unsigned));
      });
}

long DoMqAttributes(Call& call) {
  const bool foreign = DescriptorOf(*call.thread, call.args[0]).foreign();
  const long result = FromOutside(
      call, foreign, [&] { return AskKernel(call); },
      [&](long code, Outputs& outputs) {
        if (code == 0) outputs.Add(call.pointer<void>(2), sizeof(mq_attr));
      });
  const auto* asked = call.pointer<const mq_attr>(1);
  if (result == 0 && asked != nullptr) {
    DescriptorOf(*call.thread, call.args[0]).nonblocking =
        (asked->mq_flags & O_NONBLOCK) != 0;
  }
  return result;
}

}  // namespace fairlead::rt
