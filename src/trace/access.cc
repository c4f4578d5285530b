#include "trace/access.h"

#include "trace/kinds.h"

namespace fairlead::trace {

bool IsAccess(const Event& event) {
  return GroupOf(event.kind) == abi::EventGroup::kAccess &&
         event.kind != EventKind::kFence;
}

bool Writes(const Event& event) {
  switch (event.kind) {
    case EventKind::kWrite:
    case EventKind::kAtomicStore:
    case EventKind::kRmw:
      return true;
    case EventKind::kCas:
      return event.has(abi::kFlagSuccess);
    default:
      return event.has(abi::kFlagWrites);
  }
}

}  // namespace fairlead::trace
