// analysis/invariant/recorder.h
//
// Finds the remote predecessors of every access of an execution (Algorithm 1 of
// the paper of belonging_sets.h): of each location it keeps the last access,
// and the last one by another thread than that. The thread's own accesses in
// between do not matter, nor what reads and what writes.
//
//   own accesses:     last = (site, thread)
//   another thread's: other = last, last = (site, thread)
//   predecessor of an access of t: last if another thread's, else other
//
// Locations are the bytes that accesses share (order/variables.h), so one
// access may have several predecessors. Memory that ends, or is new, has none.
// Thread numbers are never used again within an execution.
//
// The guard has the same in one word (guard/cell.h).

#ifndef FAIRLEAD_ANALYSIS_INVARIANT_RECORDER_H_
#define FAIRLEAD_ANALYSIS_INVARIANT_RECORDER_H_

#include <set>

#include "analysis/invariant/belonging_sets.h"
#include "order/variables.h"
#include "trace/event.h"

namespace fairlead::analysis {

class PredecessorRecorder {
 public:
  // Consumes the next event of an execution. Of an access: its predecessors,
  // each once; the site is Event::site. Valid until the next call. Else null.
  const std::set<Predecessor>* OnEvent(const trace::Event& event);

 private:
  struct Cell {
    bool touched = false;
    trace::Tid tid = {};  // of `last`
    Predecessor last;
    Predecessor other;
  };

  void OnAccess(const trace::Event& event);

  order::Variables<Cell> memory_;
  std::set<Predecessor> found_;
};

// What an access must not have had: an invariant is violated.
struct Violation {
  uint64_t seq = 0;   // of the event
  uint32_t site = 0;  // as Event::site
  Predecessor actual;
};

// Whether sets tell predecessors apart by their histories.
enum class Histories { kTold, kIgnored };

// The violations of `events` (any range of trace::Event), in their order;
// `site_of` gives the number by which `sets` knows a site index (0 = unknown).
template <typename Events, typename SiteOf>
std::vector<Violation> ViolationsOf(const Events& events,
                                    const BelongingSets& sets,
                                    Histories histories, SiteOf site_of) {
  PredecessorRecorder recorder;
  std::vector<Violation> violations;
  for (const trace::Event& event : events) {
    const std::set<Predecessor>* found = recorder.OnEvent(event);
    if (found == nullptr) continue;
    for (const Predecessor& actual : *found) {
      const Predecessor known = {
          .site = actual.site == 0
                      ? 0
                      : site_of(static_cast<uint32_t>(actual.site)),
          .history = histories == Histories::kTold ? actual.history
                                                   : abi::GuardHistory::kFirst};
      if (!sets.Allows(site_of(event.site), known)) {
        violations.push_back({event.seq, event.site, actual});
      }
    }
  }
  return violations;
}

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_INVARIANT_RECORDER_H_
