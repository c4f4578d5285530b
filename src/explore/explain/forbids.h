// explore/explain/forbids.h
//
// What in an execution that passed forbids the orders of a failure:
//
//   order   of an edge x before y: in every execution y is ordered before x by
//           synchronisation, at least once by more than that a lock was free;
//           of edges between two objects nothing is said
//   lock    of two edges from one thread to another and back, x1 before y1 and
//           y2 before x2: both threads hold one lock, x1 and x2 in one critical
//           section, and y1 in one that ends after y1 and begins before y2, or
//           y1 ahead of y2: then either section comes first as a whole, and one
//           of the edges cannot be
//   atomic  of the same: x1 and x2 are one atomic operation
//   locks   of the same, where all four take locks and the failure was a
//           deadlock: no two threads take them in opposite orders
//
// The edges that are asked about are what all failures had in common, where
// that is known: one without which it never failed, alone or with any other.
// Else they are those that were enough.
//
// Each must hold for all events at the sites in all executions that are given;
// where the edge is about one object, of all on one object.
//
// Unsound: executions that were not made may be otherwise.
// Incomplete: a fix that only tests a value before it goes on forbids its order
// without any lock or synchronisation, and is not seen.

#ifndef FAIRLEAD_EXPLORE_EXPLAIN_FORBIDS_H_
#define FAIRLEAD_EXPLORE_EXPLAIN_FORBIDS_H_

#include <optional>
#include <string>
#include <vector>

#include "finding/explanation.h"
#include "trace/trace.h"

namespace fairlead::explore {

struct Forbidden {
  std::vector<size_t> edges;  // that cannot be, or not together
  std::string by;             // "lock m, taken at a.c:3 and at a.c:9"
};

// Collects executions, then answers.
class Forbids {
 public:
  // Its steps have the anchors of the program that the executions are of.
  // Those with a step that has none are left out.
  Forbids(const finding::Ordering& ordering, finding::Kind kind);

  // What may be forbidden, as `Forbidden::edges` counts them.
  const std::vector<finding::StepPair>& pairs() const { return pairs_; }

  void Learn(const trace::Trace& trace);

  // The first that was found; none: nothing that is known forbids them.
  std::optional<Forbidden> Answer() const;

  // Steps that some thread came to, in an execution where another thread came
  // to a step of another role.
  bool Reached(size_t step) const;

 private:
  // An event at a step's site.
  struct Instance {
    size_t position = 0;
    trace::Tid tid = trace::Tid::kMain;
    uint64_t object = 0;  // address
    uint64_t bytes = 0;
    uint32_t pass = 0;
    std::string calls = {};
    // Locks around it or that it takes: address, section, exclusive.
    struct Held {
      uint64_t lock;
      uint64_t section;
      bool exclusive;
      std::string text;  // "m, taken at a.c:3"
    };
    std::vector<Held> held = {};
  };
  struct Execution {
    std::vector<std::vector<Instance>> of_step;  // by step
    // By edge: its second step was ordered before its first, for all pairs of
    // instances, by any synchronisation; and without locks; and what did it.
    struct Order {
      bool any_pair = false;
      bool by_all = true;
      bool without_locks = true;
      std::string text = {};
    };
    std::vector<Order> orders;
  };

  static void KeepCalls(const std::string& calls,
                        std::vector<Instance>& instances);
  void LearnOrders(const trace::Trace& trace, Execution& execution) const;
  std::optional<std::string> ByOrder(size_t edge) const;
  std::optional<std::string> ByLock(size_t one, size_t other) const;
  std::optional<std::string> ByLockOrder(size_t one, size_t other) const;
  bool CanBeOrdered(const finding::StepPair& edge) const;
  bool IsFirstWrite(const finding::StepPair& edge) const;
  bool SameObject(size_t a, size_t b) const;
  bool GoTogether(size_t one, const Instance& a, size_t other,
                  const Instance& b) const;

  const finding::Ordering& ordering_;
  bool deadlock_;
  std::vector<finding::StepPair> pairs_;
  std::vector<Execution> executions_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_EXPLAIN_FORBIDS_H_
