// analysis/iroot/touch.h
//
// Events as iRoots see them: reads, writes, locks and unlocks, each of a
// location. A lock is a location of its own, named by its address; taking and
// giving it are one access each, at the application's call site, also where a
// condition wait does it. Recursive ones do not count.
//
// An atomic read-modify-write is a read and a write at one place: dependencies
// end at its read and begin at its write, never the other way round.

#ifndef FAIRLEAD_ANALYSIS_IROOT_TOUCH_H_
#define FAIRLEAD_ANALYSIS_IROOT_TOUCH_H_

#include <cstdint>
#include <optional>

#include "analysis/iroot/iroot.h"
#include "order/access.h"

namespace fairlead::analysis::iroot {

using order::Tid;

enum class Shape : uint8_t {
  kRead,
  kWrite,
  kUpdate,  // a read and a write
  kLock,
  kUnlock,
};

struct Touch {
  uint64_t address = 0;
  uint64_t bytes = 0;  // of memory; 0 for locks
  Shape shape = Shape::kRead;
  // Writes, or takes or gives a lock in exclusive mode: two that are not
  // exclusive do not conflict.
  bool exclusive = false;
  bool atomic = false;
};

constexpr bool IsLock(Shape shape) { return shape >= Shape::kLock; }

// As the first of a dependency, and as the second one.
constexpr Operation AsSource(Shape shape) {
  switch (shape) {
    case Shape::kRead:
      return Operation::kRead;
    case Shape::kWrite:
    case Shape::kUpdate:
      return Operation::kWrite;
    case Shape::kLock:
      return Operation::kLock;
    case Shape::kUnlock:
      return Operation::kUnlock;
  }
  return Operation::kRead;
}
constexpr Operation AsEnd(Shape shape) {
  return shape == Shape::kUpdate ? Operation::kRead : AsSource(shape);
}

// Whether what touches one location first like `source` and then like `end` can
// be a dependency. `exclusive` of both.
constexpr bool CanDepend(Shape source, bool source_exclusive, Shape end,
                         bool end_exclusive) {
  if (IsLock(source)) {
    return source == Shape::kUnlock && end == Shape::kLock &&
           (source_exclusive || end_exclusive);
  }
  return AsSource(source) == Operation::kWrite ||
         AsEnd(end) == Operation::kWrite;
}

// None for what touches no location.
inline std::optional<Touch> TouchOf(const order::Event& event) {
  using order::AccessKind;
  using order::EventKind;
  const AccessKind kind = order::AccessOf(event);
  if (kind != AccessKind::kNone) {
    const Shape shape = kind == AccessKind::kRead    ? Shape::kRead
                        : kind == AccessKind::kWrite ? Shape::kWrite
                                                     : Shape::kUpdate;
    return Touch{event.address, event.size, shape, order::Writes(kind),
                 order::IsAtomic(event)};
  }
  const bool exclusive = !event.has(abi::kFlagShared);
  switch (event.kind) {
    case EventKind::kTryLock:
      if (!event.has(abi::kFlagSuccess)) return {};
      [[fallthrough]];
    case EventKind::kLock:
    case EventKind::kFileLock:
      if (event.has(abi::kFlagRecursive)) return {};
      return Touch{event.address, 0, Shape::kLock, exclusive};
    case EventKind::kUnlock:
    case EventKind::kFileUnlock:
      if (event.has(abi::kFlagRecursive)) return {};
      return Touch{event.address, 0, Shape::kUnlock, exclusive};
    case EventKind::kWait:
      if (!event.partner || event.partner->object == 0) return {};
      return Touch{event.partner->object, 0, Shape::kUnlock, true};
    case EventKind::kWaitDone:
      if (!event.partner || event.partner->object == 0) return {};
      return Touch{event.partner->object, 0, Shape::kLock, true};
    default:
      return {};
  }
}

// Bytes at a lock's address that are the lock, whatever its type: no primitive
// is smaller. Plain accesses to them do not count.
inline constexpr uint64_t kLockBytes = 4;

}  // namespace fairlead::analysis::iroot

#endif  // FAIRLEAD_ANALYSIS_IROOT_TOUCH_H_
