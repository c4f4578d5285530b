#include "runtime/outside/descriptors.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "runtime/outside/inputs.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

// More than the limit of any ordinary process; those above are looked at at
// each use.
constexpr long kMostTracked = 1 << 16;
// Of /dev/null, /dev/zero, /dev/random and others.
constexpr unsigned kMemoryDevices = 1;

Descriptor table[kMostTracked];
Descriptor beyond;
long highest = 0;  // no tracked descriptor is above it

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

void ForgetDescriptors(long first, long last) {
  for (long fd = first < 0 ? 0 : first; fd <= last && fd <= highest; ++fd) {
    table[fd] = {};
  }
}

void CopyDescriptor(long from, long to) {
  if (from < 0 || from >= kMostTracked) return;
  SetDescriptor(to, table[from]);
}

void ShareDescriptors() {
  for (long fd = 0; fd <= highest; ++fd) {
    // Signals that are pending for us are nobody else's.
    if (table[fd].kind != DescriptorKind::kSignal) table[fd].domestic = false;
  }
}

}  // namespace fairlead::rt
