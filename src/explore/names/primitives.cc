#include "explore/names/primitives.h"

namespace fairlead::explore {

using abi::EventKind;

Primitive PrimitiveOf(EventKind kind) {
  switch (kind) {
    case EventKind::kLock:
    case EventKind::kUnlock:
    case EventKind::kTryLock:
    case EventKind::kWakeUnlock:
      return {"mutex", 40};
    case EventKind::kWait:
    case EventKind::kWaitDone:
    case EventKind::kSignal:
    case EventKind::kBroadcast:
    case EventKind::kWakeSignal:
      return {"condvar", 48};
    case EventKind::kSemWait:
    case EventKind::kSemPost:
    case EventKind::kWakePost:
      return {"semaphore", 32};
    case EventKind::kBarrierWait:
    case EventKind::kBarrierDone:
    case EventKind::kWakeBarrier:
      return {"barrier", 32};
    case EventKind::kFileLock:
    case EventKind::kFileUnlock:
      return {"stream", 216};
    case EventKind::kFutexWait:
    case EventKind::kFutexDone:
    case EventKind::kFutexWake:
    case EventKind::kWakeFutex:
      return {"futex", 4};
    default:
      return {};
  }
}

}  // namespace fairlead::explore
