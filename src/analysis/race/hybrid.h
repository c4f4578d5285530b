// analysis/race/hybrid.h
//
// Races that another schedule could have: two conflicting accesses of different
// threads that hold no lock in common which would keep them apart, and that are
// not ordered by anything but locks (O'Callahan and Choi, PPoPP 2003; the first
// phase of RaceFuzzer: Sen, PLDI 2008). Finds what the lock order of this
// execution hides from analysis/race/race.h, and everything that that finds.
//
// Each variable has the accesses that differ in thread, place, kind or lockset;
// of those that agree in all of them, the last.
//
// Incomplete: what keeps accesses apart may be more than locks and order: a
// value that decides whether the second one happens at all. Forcing tells.
// Unsound: a variable keeps at most kMaxEntries accesses, and forgets the
// oldest.

#ifndef FAIRLEAD_ANALYSIS_RACE_HYBRID_H_
#define FAIRLEAD_ANALYSIS_RACE_HYBRID_H_

#include <vector>

#include "analysis/analysis.h"
#include "analysis/site_pairs.h"
#include "order/variables.h"

namespace fairlead::analysis {

class Hybrid final : public Analysis {
 public:
  // Threads times places, for what people read: beyond it, more of the same.
  static constexpr size_t kMaxEntries = 32;

  std::string_view name() const override { return "hybrid"; }
  void OnEvent(const trace::Event& event, order::Model& order,
               PredictionSink& out) override;

 private:
  struct Entry {
    order::Spot spot;
    order::Epoch epoch;
    order::LocksetId locks;
    bool writes;
    bool atomic;
    uint64_t hold;  // SiteKey of the first lock held; 0 = none
  };
  struct State {
    std::vector<Entry> entries;
    bool benign = false;
  };

  void OnAccess(uint64_t address, State& state, const Entry& now,
                order::Model& order, PredictionSink& out);
  static bool MayMeet(const Entry& earlier, const Entry& now,
                      order::Model& order);
  void Report(uint64_t address, const Entry& earlier, const Entry& now,
              PredictionSink& out);

  order::Variables<State> variables_;
  SitePairs reported_;
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_RACE_HYBRID_H_
