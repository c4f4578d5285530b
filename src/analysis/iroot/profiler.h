// analysis/iroot/profiler.h
//
// Which iRoots other executions with the same input could expose, predicted
// from one execution while it goes on (Maple, section 3). Idiom 1 comes from
// histories of locations (histories.h), compound idioms from joining those
// results with pairs of touches that are close in their thread (local_pairs.h),
// when the execution is over. docs/design/maple.md has the rules.
//
// Memory grows with what is alive and with the places of the program that touch
// shared memory.
//
// Unsound: order that only this execution had forbids what others could do; a
// candidate is one if any profiled execution allows it. Incomplete: what
// control flow forbids is not known.

#ifndef FAIRLEAD_ANALYSIS_IROOT_PROFILER_H_
#define FAIRLEAD_ANALYSIS_IROOT_PROFILER_H_

#include <unordered_map>
#include <vector>

#include "analysis/iroot/histories.h"
#include "analysis/iroot/iroot.h"
#include "analysis/iroot/local_pairs.h"
#include "analysis/iroot/lock_pairs.h"
#include "trace/program_tables.h"

namespace fairlead::analysis::iroot {

// What is known of a predicted iRoot besides.
struct Candidate {
  // One of its steps was made by a thread that had waited for something outside
  // the program before: to reach it may need time.
  bool after_outside = false;
  // No lock keeps its steps apart: it is unsynchronised.
  bool unlocked = false;
  // All of its steps are atomic accesses: made to meet without a lock.
  bool atomic = false;
  // A step reads, right after it was written, a null pointer: its
  // effect would be severe.
  bool severe = false;
  // By step: which pass of its thread over its place it was, from 1; 0 = any.
  // Places that touch many locations (slots of a table) come up many times, and
  // only some of these passes are about the same location as the other steps.
  std::array<uint32_t, kMaxSteps> occurrences = {};

  // Takes over what another prediction of the same iRoot knows, but for the
  // passes.
  void Add(const Candidate& other) {
    after_outside |= other.after_outside;
    unlocked |= other.unlocked;
    atomic |= other.atomic;
    severe |= other.severe;
  }
};
// The candidate of the other spelling of an iRoot of idiom 5.
Candidate Respelled(const Candidate& candidate);

using Candidates = std::unordered_map<IRoot, Candidate, IRootHash>;

struct ProfilerOptions {
  uint64_t window = kWindow;
  // Compound idioms are predicted for places that touched shared memory, as far
  // as this execution has shown it. False: for all; for executions in which
  // other places are idle anyway.
  bool find_shared = true;
  bool compound = true;  // false: idiom 1 only
  // Touches of places that are kept although nothing is known about them yet: a
  // place shows that it shares something only when another has been there, and
  // then may not come up again.
  uint64_t max_unknown = 50'000;
  // Steps of joining at the end, after which it is given up.
  uint64_t max_joins = 20'000'000;
};

class Profiler {
 public:
  explicit Profiler(ProfilerOptions options = {})
      : options_(options),
        histories_(nodes_, locks_, segments_),
        pairs_(options.window),
        lock_pairs_(options.window) {}
  Profiler(const Profiler&) = delete;
  Profiler& operator=(const Profiler&) = delete;

  // As in analysis/analysis.h. Without it, no write is known to be one of a
  // null pointer.
  void OnBegin(trace::ProgramTables& tables) { tables_ = &tables; }
  // As order::Model::Share.
  void Share(order::Orders& orders) { segments_.Share(orders); }
  // Consumes the next event. Any sequence is fine.
  void OnEvent(const trace::Event& event);
  // The execution is over, or was cut: predicts what is left.
  void OnEnd();

  // Meaningful after OnEnd; over places.
  const Candidates& predicted() const { return predicted_; }
  // Joining was given up: there are more.
  bool cut() const { return joins_ > options_.max_joins; }
  size_t num_local_pairs() const { return pairs_.all().size(); }

 private:
  void OnTouch(const trace::Event& event, const Touch& touch,
               order::LocksetId locks);
  void OnThreadLife(const trace::Event& event);
  bool WritesNull(const trace::Event& event, const Touch& touch);
  bool InWindow(uint64_t place, bool shared_location);

  // In join.cc.
  void Join();
  void JoinPair(const LocalPair& pair);
  void JoinSame(const LocalPair& pair, NodeId b);
  void JoinAround(const LocalPair& pair, NodeId b, NodeId c);
  void JoinAlong(const LocalPair& pair, NodeId b, NodeId d);
  void JoinDeadlocks();
  void PredictDeadlock(const LockPair& one, const LockPair& other);
  bool OutOfJoins();
  // A touch that a step was seen as; pass 0 = the first of its node.
  struct Instance {
    NodeId node = kNoNode;
    uint32_t pass = 0;
  };
  void Predict(uint8_t idiom, std::initializer_list<Instance> instances);
  std::span<const NodeId> EndsOf(NodeId source) const;
  std::span<const NodeId> SourcesOf(NodeId end) const;

  ProfilerOptions options_;
  trace::ProgramTables* tables_ = nullptr;  // null = not known
  Nodes nodes_;
  order::Locksets locks_;
  Segments segments_;
  Histories histories_;
  LocalPairs pairs_;
  LockPairs lock_pairs_;
  Histories::Now now_;
  std::vector<uint64_t> instructions_;         // by thread, so far
  std::vector<bool> after_outside_;            // by thread
  std::vector<std::vector<uint32_t>> passes_;  // by thread, by SiteKey
  std::vector<bool> shared_places_;            // by SiteKey
  uint64_t num_unknown_ = 0;
  std::unordered_map<NodeId, std::vector<NodeId>> sources_;  // edges, reversed
  uint64_t joins_ = 0;
  Candidates predicted_;
};

}  // namespace fairlead::analysis::iroot

#endif  // FAIRLEAD_ANALYSIS_IROOT_PROFILER_H_
