// runtime/outside/poll.cc
//
// Waiting for several descriptors: poll, select, epoll. The real call is made
// with no time to wait once one of them is ready.

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/inputs.h"
#include "runtime/model/deadline.h"
#include "runtime/model/signals.h"
#include "runtime/outside/call.h"
#include "runtime/outside/descriptors.h"
#include "runtime/outside/from_outside.h"
#include "runtime/outside/registrations.h"
#include "runtime/outside/waiting.h"

namespace fairlead::rt {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;
constexpr uint64_t kMicrosecond = 1'000;
// At once; the rest comes with the next call.
constexpr long kMostEvents = 64;
constexpr long kSetBits = 8 * sizeof(unsigned long);

void EmitUse(Call& call, long fd) {
  emitter().Emit(*call.thread, EventKind::kUse, abi::kFlagPoint, nullptr,
                 static_cast<uint64_t>(fd));
  OutsideChanged();
}

uint64_t DeadlineOfMilliseconds(long ms) {
  return ms < 0 ? kNoDeadline
                : gate().now_ns() + static_cast<uint64_t>(ms) * kMillisecond;
}

// kBadDeadline for a time that makes no sense.
uint64_t DeadlineOfTime(const timespec* time) {
  if (time == nullptr) return kNoDeadline;
  const uint64_t ns = DurationOf(time);
  return ns == kBadDeadline || time->tv_sec < 0 ? kBadDeadline
                                                : gate().now_ns() + ns;
}

// The mask that ppoll and its relatives have while they wait.
class MaskWhileWaiting {
 public:
  MaskWhileWaiting(Thread& thread, const SignalSet* mask) : thread_(thread) {
    swapped_ = mask != nullptr;
    if (swapped_) SwapMask(thread, *mask);
  }
  ~MaskWhileWaiting() {
    if (swapped_) SwapMaskBack(thread_);
  }
  MaskWhileWaiting(const MaskWhileWaiting&) = delete;
  MaskWhileWaiting& operator=(const MaskWhileWaiting&) = delete;

 private:
  Thread& thread_;
  bool swapped_;
};

// Waits for `fds` and asks, until there is a result other than 0 or the time is
// over.
template <typename Ask, typename NameOutputs>
long WaitAndAsk(Call& call, pollfd* fds, size_t num_fds, bool foreign,
                const void* object, uint64_t deadline, Ask ask,
                NameOutputs name_outputs) {
  const bool waits = deadline > gate().now_ns();
  for (;;) {
    Wake wake = Wake::kReady;
    if (waits) {
      OutsideWait wait = {.fds = fds,
                          .num_fds = static_cast<uint32_t>(num_fds),
                          .foreign = foreign,
                          .interruption = Interruption::kAlways};
      wake = AwaitOutside(call, wait, object, deadline);
      if (wake != Wake::kReady && wake != Wake::kTimedOut) {
        return EndedEarly(call, wake);
      }
    } else {
      ArriveOutside(call, EventKind::kUse, object);
    }
    const long result = FromOutside(call, foreign, ask, name_outputs);
    // Found by somebody else in the meantime.
    if (result == 0 && waits && wake == Wake::kReady) continue;
    if (result != 0) {
      gate().Progressed(*call.thread);
    } else if (!waits) {
      FoundNothing(call, foreign, -2);
    }
    return result;
  }
}

bool AnyForeign(Call& call, const pollfd* fds, size_t num_fds) {
  bool foreign = false;
  for (size_t i = 0; i < num_fds; ++i) {
    if (fds[i].fd >= 0 && DescriptorOf(*call.thread, fds[i].fd).foreign()) {
      foreign = true;
    }
  }
  return foreign;
}

long Poll(Call& call, uint64_t deadline) {
  // More than a process can have open, which the kernel refuses.
  constexpr auto kMost = static_cast<unsigned long>(1 << 20);
  if (static_cast<unsigned long>(call.args[1]) > kMost) return -EINVAL;
  auto* fds = call.pointer<pollfd>(0);
  const auto num_fds = static_cast<size_t>(call.args[1]);
  const bool foreign = AnyForeign(call, fds, num_fds);
  const long result = WaitAndAsk(
      call, fds, num_fds, foreign, num_fds == 1 ? ObjectOf(fds[0].fd) : nullptr,
      deadline,
      [&] { return sys::Call(SYS_poll, call.args[0], call.args[1], 0); },
      [&](long got, Outputs& outputs) {
        if (got >= 0) outputs.Add(fds, num_fds * sizeof(pollfd));
      });
  for (size_t i = 0; i < num_fds && result > 0; ++i) {
    if (fds[i].revents != 0) EmitUse(call, fds[i].fd);
  }
  return result;
}

struct Sets {
  long num_fds;
  unsigned long* sets[3];  // to read, to write, exceptions; each may be null

  bool Has(int set, long fd) const {
    return sets[set] != nullptr &&
           (sets[set][fd / kSetBits] >> (fd % kSetBits) & 1) != 0;
  }
  size_t bytes() const {
    return static_cast<size_t>((num_fds + kSetBits - 1) / kSetBits) *
           sizeof(unsigned long);
  }
};

// What to wait for with poll; returns the number of descriptors.
size_t PollOf(const Sets& sets, pollfd* fds) {
  size_t num_fds = 0;
  for (long fd = 0; fd < sets.num_fds; ++fd) {
    int events = 0;
    if (sets.Has(0, fd)) events |= POLLIN | POLLRDNORM | POLLRDBAND;
    if (sets.Has(1, fd)) events |= POLLOUT | POLLWRNORM | POLLWRBAND;
    if (sets.Has(2, fd)) events |= POLLPRI;
    if (events == 0) continue;
    fds[num_fds++] = {.fd = static_cast<int>(fd),
                      .events = static_cast<short>(events),
                      .revents = 0};
  }
  return num_fds;
}

long Select(Call& call, uint64_t deadline) {
  const Sets sets = {
      call.args[0] < FD_SETSIZE ? call.args[0] : FD_SETSIZE,
      {call.pointer<unsigned long>(1), call.pointer<unsigned long>(2),
       call.pointer<unsigned long>(3)}};
  if (call.args[0] < 0) return -EINVAL;
  pollfd fds[FD_SETSIZE];
  const size_t num_fds = PollOf(sets, fds);
  // The sets are both question and answer, and may have to be asked again.
  fd_set asked[3];
  for (int i = 0; i < 3; ++i) {
    if (sets.sets[i] != nullptr) memcpy(&asked[i], sets.sets[i], sets.bytes());
  }
  const bool foreign = AnyForeign(call, fds, num_fds);
  const long result = WaitAndAsk(
      call, fds, num_fds, foreign, nullptr, deadline,
      [&] {
        timespec none = {};
        for (int i = 0; i < 3; ++i) {
          if (sets.sets[i] != nullptr) {
            memcpy(sets.sets[i], &asked[i], sets.bytes());
          }
        }
        return sys::Call(SYS_pselect6, sets.num_fds, call.args[1], call.args[2],
                         call.args[3], sys::Arg(&none), 0);
      },
      [&](long got, Outputs& outputs) {
        if (got < 0) return;
        for (unsigned long* set : sets.sets) outputs.Add(set, sets.bytes());
      });
  for (size_t i = 0; i < num_fds && result > 0; ++i) {
    const int fd = fds[i].fd;
    if (sets.Has(0, fd) || sets.Has(1, fd) || sets.Has(2, fd)) {
      EmitUse(call, fd);
    }
  }
  return result;
}

long EpollWait(Call& call, uint64_t deadline) {
  pollfd fd = {.fd = call.fd(), .events = POLLIN, .revents = 0};
  const Descriptor descriptor = DescriptorOf(*call.thread, call.args[0]);
  const bool foreign = descriptor.foreign();
  const bool fed = foreign && inputs().fed();
  auto* events = call.pointer<epoll_event>(1);
  epoll_event kept[kMostEvents];  // as in the schedule
  const long room = call.args[2] < kMostEvents ? call.args[2] : kMostEvents;
  const long result = WaitAndAsk(
      call, &fd, 1, foreign, ObjectOf(fd.fd), deadline,
      [&] {
        return sys::Call(SYS_epoll_wait, call.args[0], call.args[1], room, 0);
      },
      [&](long got, Outputs& outputs) {
        for (long i = 0; i < got && !fed; ++i) {
          kept[i] = ToSchedule(fd.fd, events[i]);
        }
        if (got > 0) {
          outputs.Add(kept, static_cast<size_t>(got) * sizeof(epoll_event));
        }
      });
  for (long i = 0; i < result && fed; ++i) {
    events[i] = FromSchedule(fd.fd, kept[i]);
  }
  EmitUse(call, call.args[0]);
  return result;
}

}  // namespace

long DoPoll(Call& call) {
  return Poll(call, DeadlineOfMilliseconds(static_cast<int>(call.args[2])));
}

long DoPpoll(Call& call) {
  const uint64_t deadline = DeadlineOfTime(call.pointer<const timespec>(2));
  if (deadline == kBadDeadline) return -EINVAL;
  MaskWhileWaiting mask(*call.thread, call.pointer<const SignalSet>(3));
  return Poll(call, deadline);
}

long DoSelect(Call& call) {
  const auto* time = call.pointer<const timeval>(4);
  if (time == nullptr) return Select(call, kNoDeadline);
  if (time->tv_sec < 0 || time->tv_usec < 0) return -EINVAL;
  timespec duration = {
      .tv_sec = time->tv_sec + time->tv_usec / 1'000'000,
      .tv_nsec = time->tv_usec % 1'000'000 * static_cast<long>(kMicrosecond)};
  return Select(call, DeadlineOfTime(&duration));
}

long DoPselect(Call& call) {
  // The last argument points to the mask's address and size.
  struct MaskArgument {
    const SignalSet* mask;
    size_t bytes;
  };
  const auto* argument = call.pointer<const MaskArgument>(5);
  const uint64_t deadline = DeadlineOfTime(call.pointer<const timespec>(4));
  if (deadline == kBadDeadline) return -EINVAL;
  MaskWhileWaiting mask(*call.thread,
                        argument == nullptr ? nullptr : argument->mask);
  return Select(call, deadline);
}

long DoEpollWait(Call& call) {
  return EpollWait(call,
                   DeadlineOfMilliseconds(static_cast<int>(call.args[3])));
}

long DoEpollPwait(Call& call) {
  MaskWhileWaiting mask(*call.thread, call.pointer<const SignalSet>(4));
  return DoEpollWait(call);
}

long DoEpollPwait2(Call& call) {
  const uint64_t deadline = DeadlineOfTime(call.pointer<const timespec>(3));
  if (deadline == kBadDeadline) return -EINVAL;
  MaskWhileWaiting mask(*call.thread, call.pointer<const SignalSet>(4));
  return EpollWait(call, deadline);
}

long DoEpollCreate(Call& call) {
  ArriveOutside(call, EventKind::kOpen, nullptr);
  const long result = AskKernel(call);
  if (result < 0) return result;
  SetDescriptor(result, {.kind = DescriptorKind::kEpoll,
                         .domestic = true,
                         .nonblocking = false,
                         .receive_ns = 0,
                         .send_ns = 0});
  emitter().Emit(*call.thread, EventKind::kOpen, abi::kFlagPoint, nullptr,
                 static_cast<uint64_t>(result));
  return result;
}

long DoEpollCtl(Call& call) {
  ArriveOutside(call, EventKind::kUse, ObjectOf(call.fd()));
  const bool foreign = DescriptorOf(*call.thread, call.args[2]).foreign();
  const long result =
      FromOutside(call, foreign, [&] { return AskKernel(call); });
  if (result == 0) {
    Register(call.fd(), static_cast<int>(call.args[1]),
             static_cast<int>(call.args[2]),
             call.pointer<const epoll_event>(3));
  }
  // From its first foreign member on, what it tells comes from outside.
  if (foreign) DescriptorOf(*call.thread, call.args[0]).domestic = false;
  EmitUse(call, call.args[0]);
  return result;
}

}  // namespace fairlead::rt
