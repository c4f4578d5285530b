#include "runtime/outside/descriptors.h"

#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "runtime/gate/inputs.h"
#include "runtime/model/misuse.h"
#include "runtime/sys/page.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

// More than the limit of any ordinary process; those above are looked at at
// each use.
constexpr long kMostTracked = 1 << 16;
// Of /dev/null, /dev/zero, /dev/random and others.
constexpr unsigned kMemoryDevices = 1;

// Of /dev/ptmx, and of terminals that are made through it.
constexpr unsigned kTerminalMakers = 5;
constexpr unsigned kPtmx = 2;
// Descriptors in messages that nobody has received yet; older ones are
// forgotten.
constexpr size_t kMostSent = 64;

Descriptor table[kMostTracked];
bool closed[kMostTracked];  // by the program, at some time

// The open file of a descriptor that was sent. Pipes and sockets have a number
// each; of those that share one (eventfds), the first sent is the first
// received, as messages are.
struct Sent {
  dev_t device;
  ino_t number;
  Descriptor descriptor;
  bool under_way;
};
Sent sent[kMostSent];
size_t num_sent = 0;

Descriptor beyond;
long highest = 0;  // no tracked descriptor is above it
bool shared = false;

DescriptorKind KindOf(long fd) {
  struct stat file = {};
  if (sys::Call(SYS_fstat, fd, sys::Arg(&file)) != 0) {
    return DescriptorKind::kNone;
  }
  switch (file.st_mode & S_IFMT) {
    case S_IFREG:
    case S_IFDIR:
    case S_IFBLK:
    case S_IFLNK:
      return DescriptorKind::kFile;
    case S_IFIFO:
      return DescriptorKind::kPipe;
    case S_IFSOCK:
      return DescriptorKind::kSocket;
    case S_IFCHR:
      // What is written to one that makes terminals is for the program itself.
      if (major(file.st_rdev) == kTerminalMakers &&
          minor(file.st_rdev) == kPtmx) {
        return DescriptorKind::kOther;
      }
      if (major(file.st_rdev) != kMemoryDevices) {
        return DescriptorKind::kTerminal;
      }
      return minor(file.st_rdev) == 8 || minor(file.st_rdev) == 9
                 ? DescriptorKind::kRandom
                 : DescriptorKind::kFile;
    default:
      return DescriptorKind::kOther;
  }
}

Descriptor AskAbout(long fd) {
  const DescriptorKind kind = KindOf(fd);
  const long flags = sys::Call(SYS_fcntl, fd, F_GETFL);
  return {.kind = kind,
          .domestic = false,
          .nonblocking = flags >= 0 && (flags & O_NONBLOCK) != 0,
          .receive_ns = 0,
          .send_ns = 0};
}

// Of a descriptor that the process was born with.
Descriptor LearnAbout(const Thread& thread, long fd) {
  if (inputs().fed()) {
    const abi::InputRecord* record =
        inputs().Take(thread.tid, abi::InputKind::kResult);
    if (record != nullptr) {
      return {.kind = static_cast<DescriptorKind>(record->value & 0xff),
              .domestic = false,
              .nonblocking = (record->value >> 8) != 0,
              .receive_ns = 0,
              .send_ns = 0};
    }
  }
  const Descriptor found = AskAbout(fd);
  inputs().Record(thread.tid, abi::InputKind::kResult,
                  static_cast<uint64_t>(found.kind) |
                      (found.nonblocking ? uint64_t{1} << 8 : 0));
  return found;
}

}  // namespace

Descriptor& DescriptorOf(const Thread& thread, long fd) {
  if (fd < 0 || fd >= kMostTracked) {
    beyond = AskAbout(fd);
    return beyond;
  }
  Descriptor& descriptor = table[fd];
  if (descriptor.kind == DescriptorKind::kUnknown) {
    if (fd > highest) highest = fd;
    descriptor = LearnAbout(thread, fd);
  }
  if (descriptor.kind == DescriptorKind::kNone) {
    // It may be there by the next time.
    beyond = descriptor;
    descriptor = {};
    return beyond;
  }
  return descriptor;
}

void SetDescriptor(long fd, const Descriptor& descriptor) {
  if (fd < 0 || fd >= kMostTracked) return;
  if (fd > highest) highest = fd;
  table[fd] = descriptor;
}

void LookAtNewDescriptor(long fd) { SetDescriptor(fd, AskAbout(fd)); }

void ForgetDescriptor(long fd) {
  if (fd >= 0 && fd < kMostTracked) table[fd] = {};
}

void NoteClosed(long fd) {
  if (fd >= 0 && fd < kMostTracked) closed[fd] = true;
}

void CheckClosed(Thread& thread, long fd) {
  if (!PlanAsks(abi::kPlanClosedUse) || fd < 0 || fd >= kMostTracked ||
      !closed[fd]) {
    return;
  }
  ReportMisuse(thread, abi::Misuse::kUseAfterClose, nullptr);
}

void ForgetDescriptors(long first, long last) {
  for (long fd = first < 0 ? 0 : first; fd <= last && fd <= highest; ++fd) {
    table[fd] = {};
  }
}

void CopyDescriptor(long from, long to) {
  if (from < 0 || from >= kMostTracked) return;
  SetDescriptor(to, table[from]);
}

bool HasShared() { return shared; }

void ShareDescriptors() {
  shared = true;
  for (long fd = 0; fd <= highest; ++fd) {
    // Signals that are pending for us are nobody else's.
    if (table[fd].kind != DescriptorKind::kSignal) table[fd].domestic = false;
  }
  for (Sent& each : sent) each.descriptor.domestic = false;
}

void NoteSent(const Thread& thread, long fd) {
  struct stat file = {};
  if (sys::Call(SYS_fstat, fd, sys::Arg(&file)) != 0) return;
  sent[num_sent++ % kMostSent] = {.device = file.st_dev,
                                  .number = file.st_ino,
                                  .descriptor = DescriptorOf(thread, fd),
                                  .under_way = true};
}

void NoteReceived(long fd) {
  ForgetDescriptor(fd);
  struct stat file = {};
  if (sys::Call(SYS_fstat, fd, sys::Arg(&file)) != 0) return;
  const size_t oldest = num_sent > kMostSent ? num_sent - kMostSent : 0;
  for (size_t i = oldest; i < num_sent; ++i) {
    Sent& each = sent[i % kMostSent];
    if (!each.under_way || each.device != file.st_dev ||
        each.number != file.st_ino) {
      continue;
    }
    each.under_way = false;
    SetDescriptor(fd, each.descriptor);
    return;
  }
}

void HoldPlace(long fd, bool nonblocking) {
  const long made = sys::Call(SYS_eventfd2, 0,
                              EFD_CLOEXEC | (nonblocking ? EFD_NONBLOCK : 0));
  if (made < 0 || made == fd) return;
  sys::Call(SYS_dup3, made, fd, O_CLOEXEC);
  sys::Close(static_cast<int>(made));
}

}  // namespace fairlead::rt
