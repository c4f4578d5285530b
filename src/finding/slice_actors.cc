#include "finding/slice_actors.h"

#include <map>

#include "abi/control.h"

namespace fairlead::finding {
namespace {

using trace::Event;
using trace::EventKind;
using trace::Tid;

// Threads have smaller numbers.
constexpr Actor kFirstHandler = 1 << 16;

bool TellsOfArrival(const Event& event) {
  return event.kind == EventKind::kSignalDelivered ||
         event.kind == EventKind::kWakeKill;
}

}  // namespace

Actors ActorsOf(const std::vector<Event>& events) {
  Actors actors;
  actors.by_event.reserve(events.size());
  std::map<Tid, std::vector<Actor>> open;  // handlers, the innermost last
  for (size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    std::vector<Actor>& handlers = open[event.tid];
    while (!handlers.empty() && !TellsOfArrival(event)) {
      SignalHandling& last = actors.signals[handlers.back() - kFirstHandler];
      const Event& arrival = events[last.arrives];
      if (arrival.site != event.site || arrival.node != event.node) break;
      last.end = i;
      handlers.pop_back();
    }
    actors.by_event.push_back(handlers.empty()
                                  ? static_cast<Actor>(abi::Index(event.tid))
                                  : handlers.back());
    if (event.kind != EventKind::kSignalDelivered) continue;
    handlers.push_back(kFirstHandler +
                       static_cast<Actor>(actors.signals.size()));
    actors.signals.push_back({.arrives = i, .end = events.size()});
  }
  return actors;
}

}  // namespace fairlead::finding
