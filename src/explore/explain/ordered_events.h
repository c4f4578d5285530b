// explore/explain/ordered_events.h
//
// The events of one execution under names that hold in all: thread by its way
// of creation, anchor of the site, and the pass of the thread there. And the
// pairs of neighbours in the order of an object: events of two threads on the
// same bytes or the same primitive, one of which changes it.

#ifndef FAIRLEAD_EXPLORE_EXPLAIN_ORDERED_EVENTS_H_
#define FAIRLEAD_EXPLORE_EXPLAIN_ORDERED_EVENTS_H_

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "finding/target.h"
#include "trace/trace.h"

namespace fairlead::explore {

struct EventKey {
  std::string thread;  // path
  uint64_t anchor = 0;
  uint32_t pass = 0;  // from 1
  auto operator<=>(const EventKey&) const = default;
};

// What is known of such an event, from an execution that had it.
struct OrderedEvent {
  finding::Operation operation = finding::Operation::kCall;
  size_t position = 0;   // among the events of the trace
  uint64_t object = 0;   // first byte; 0 = none
  bool memory = false;   // an access, rather than a primitive's
  bool library = false;  // in a library's own code
  bool point = false;    // a thread could have been stopped there
};

// The functions that led to an event, the innermost first: "Get < Sum < Run".
std::string CallsOf(const trace::Event& event, const trace::Names& names);

class OrderedEvents {
 public:
  // `cut`: it ended early, so that what did not come might have.
  explicit OrderedEvents(trace::Trace trace, bool cut = false);

  using Pair = std::pair<EventKey, EventKey>;  // the earlier one first

  const OrderedEvent* Find(const EventKey& key) const;
  const std::vector<Pair>& pairs() const { return pairs_; }
  const trace::Trace& trace() const { return trace_; }
  // Of threads that did not go on here: what came last on the object of what
  // they do next in `other`, and that. Such as who has the lock that one waits
  // for.
  std::vector<Pair> Awaited(const OrderedEvents& other) const;
  // How often the thread came there in all.
  uint32_t PassesOf(const std::string& thread, uint64_t anchor) const;

  // True: `a` came, and `b` did not come before it. None: neither came.
  std::optional<bool> Before(const EventKey& a, const EventKey& b) const;
  // The same of any two threads: of events at these places, in these passes.
  bool BeforeInAny(const EventKey& a, const EventKey& b) const;
  // Whether it cannot be said to have had `a` before `b`.
  bool Lacks(const EventKey& a, const EventKey& b) const {
    const std::optional<bool> before = Before(a, b);
    return before ? !*before : !cut_;
  }

 private:
  void Index();
  bool EndsInMisuse(size_t position) const;
  void PairUp();

  trace::Trace trace_;
  bool cut_;
  std::vector<std::optional<EventKey>> keys_;  // by event
  std::map<EventKey, OrderedEvent> events_;
  std::map<std::pair<std::string, uint64_t>, uint32_t> passes_;
  std::vector<Pair> pairs_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_EXPLAIN_ORDERED_EVENTS_H_
