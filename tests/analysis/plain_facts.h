// What tests of analyses ask about the events of a trace, each answered by a
// plain walk over them.

#ifndef FAIRLEAD_TESTS_ANALYSIS_PLAIN_FACTS_H_
#define FAIRLEAD_TESTS_ANALYSIS_PLAIN_FACTS_H_

#include <vector>

#include "order/access.h"
#include "trace/trace.h"

namespace fairlead::analysis {

using trace::Event;
using trace::EventKind;
using trace::Trace;
using Events = std::vector<Event>;

inline bool IsAccess(const Event& event) {
  return order::AccessOf(event) != order::AccessKind::kNone;
}

// Whether the memory of event i is the same at event j.
inline bool Lives(const Events& events, size_t i, size_t j) {
  for (size_t k = i + 1; k < j; ++k) {
    if (order::EndsMemory(events[k].kind) &&
        events[i].address - events[k].address < events[k].value) {
      return false;
    }
  }
  return true;
}

// The lock of trace_maker.h, as its thread holds it at event i.
enum class Held { kNot, kShared, kExclusive };
inline Held HeldAt(const Events& events, size_t i) {
  for (size_t k = i; k-- > 0;) {
    if (events[k].tid != events[i].tid) continue;
    switch (events[k].kind) {
      case EventKind::kLock:
        return events[k].has(abi::kFlagShared) ? Held::kShared
                                               : Held::kExclusive;
      case EventKind::kWaitDone:
        return Held::kExclusive;
      case EventKind::kUnlock:
      case EventKind::kWait:
        return Held::kNot;
      default:
        break;
    }
  }
  return Held::kNot;
}

inline bool Exclude(Held one, Held other) {
  return one != Held::kNot && other != Held::kNot &&
         (one == Held::kExclusive || other == Held::kExclusive);
}

// Every event from a site of its own, so that each meeting is told.
inline Trace OwnSites(Trace trace) {
  for (Event& event : trace.events) {
    event.site = 1 + static_cast<uint32_t>(event.seq);
  }
  return trace;
}

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_TESTS_ANALYSIS_PLAIN_FACTS_H_
