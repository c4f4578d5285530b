// sched/strategy.h
//
// A Strategy answers one question: of the threads that could take the next
// step, which one does? Nothing else decides schedules. The gate (in the
// program's runtime) or the simulator (in tests) carries the answer out.
//
// What every strategy may rely on, because the gate does it for all of them:
//
//   Spinning and yielding. A thread that yields, or that repeats reads without
//   making progress, is *demoted*: it is left out of `Point::enabled` while any
//   thread that is not demoted is enabled (sched/fairness.h). So no strategy
//   can starve the thread that a spinning one waits for, and none has to care;
//   `Point::yielding` only tells.
//
//   Choices other than between threads. `fairlead_choose(n)`, a spurious
//   wake-up, a time-out: the candidates then all carry the thread that asks,
//   and `object` counts them from 0.
//
//   Points with a single candidate are not shown, unless the strategy says
//   that it WatchesAll; they are never recorded.
//
// Tier: freestanding. No allocation, no exceptions, no locks, no libc.
// Threads: the caller holds the turn, so nothing here synchronises.

#ifndef FAIRLEAD_SCHED_STRATEGY_H_
#define FAIRLEAD_SCHED_STRATEGY_H_

#include <stddef.h>
#include <stdint.h>

#include <span>

#include "abi/event.h"
#include "abi/ids.h"
#include "sched/plan.h"

namespace fairlead::sched {

using abi::Index;
using abi::kMaxThreads;
using abi::ObjId;
using abi::SiteId;
using abi::Step;
using abi::Tid;
using Op = abi::EventKind;

// One thread that could move now, and what it would do if it did.
struct Candidate {
  Tid tid;
  Op next;
  ObjId object;  // ObjId::kNone for an operation on no object, e.g. a yield
  SiteId site;
  uint64_t bytes = 0;  // touched, from `object` on; 0 = not known, or no memory
};

// The program, stopped between two steps.
struct Point {
  Step step;                           // choices made so far
  std::span<const Candidate> enabled;  // ordered by tid; two or more
  Tid running;       // who arrived here; Tid::kNone at the start
  uint32_t count;    // how often `running` has come to the gate, this included:
                     // before each operation that is a point, and each time it
                     // finds that it must wait or has ended. So (running,
                     // count) names one place in an execution
  SiteId site;       // where `running` stands
  bool yielding;     // `running` cannot progress alone
  uint32_t way = 0;  // of `running`, as in abi::ChoiceRecord
  // The candidates are two options of `running`, and this is no coming to the
  // gate of its own: a schedule that has none here takes the first.
  bool offer = false;
};

class Strategy {
 public:
  // Starts an execution. Everything random must derive from `plan.seed`: the
  // plan and the program are the whole recipe for a rerun. `plan` and what it
  // points to outlive the execution.
  virtual void Begin(const ExecutionPlan& plan) noexcept = 0;

  // Returns an index into `point.enabled`: an index rather than a Tid, so that
  // no strategy can name a thread that is not enabled.
  virtual size_t Pick(const Point& point) noexcept = 0;

  // Whether Pick is to be asked also at points with a single candidate, where
  // there is nothing to choose, to know everything that happens.
  virtual bool WatchesAll() const noexcept { return false; }

  // For one that watches all: a thread has done this, or is about to, where it
  // could not have been stopped: freeing memory, or an access while it was
  // alone or in a quiet region.
  virtual void Saw(const Candidate& /*did*/) noexcept {}

  // For one that watches all, asked ahead of Pick when threads wait for the
  // world outside: whether to wait for it in earnest, rather than to pick one
  // of the enabled threads.
  virtual bool AwaitsOutside(const Point& /*point*/) noexcept { return false; }

  // For one that watches all, ahead of a Pick that offers a thread which spins
  // to go on alone: who could move besides.
  virtual void OthersThanSpinning(const Point& /*others*/) noexcept {}

 protected:
  ~Strategy() = default;  // the gate never owns one
};

inline constexpr size_t kNotEnabled = ~size_t{0};

// Where `tid` is among the candidates, or kNotEnabled.
constexpr size_t Find(const Point& point, Tid tid) {
  for (size_t i = 0; i < point.enabled.size(); ++i) {
    if (point.enabled[i].tid == tid) return i;
  }
  return kNotEnabled;
}

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_STRATEGY_H_
