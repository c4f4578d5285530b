// analysis/race/hybrid.h
//
// Races that another schedule could have: two conflicting accesses of different
// threads that hold no lock in common which would keep them apart, and that are
// not ordered by anything but locks (O'Callahan and Choi, PPoPP 2003; the first
// phase of RaceFuzzer: Sen, PLDI 2008). Finds what the lock order of this
// execution hides from analysis/race/race.h, and everything that that finds.
//
// Each variable has a history (order/history.h): the accesses that differ in
// thread, place, kind or lockset; of those that agree in all of them, the last.
//
// Incomplete: what keeps accesses apart may be more than locks and order: a
// value that decides whether the second one happens at all. Forcing tells.

#ifndef FAIRLEAD_ANALYSIS_RACE_HYBRID_H_
#define FAIRLEAD_ANALYSIS_RACE_HYBRID_H_

#include <vector>

#include "analysis/analysis.h"
#include "analysis/site_pairs.h"
#include "order/variable_states.h"

namespace fairlead::analysis {

class Hybrid final : public Analysis {
 public:
  std::string_view name() const override { return "hybrid"; }
  void OnEvent(const trace::Event& event, order::Model& order,
               PredictionSink& out) override;

 private:
  struct State {
    order::History history;  // partners: those that an entry may meet
  };
  // The access at hand.
  struct Now {
    order::TypeId type;
    order::Stamps stamps;
    order::Model& order;
    PredictionSink& out;
  };

  void OnAccess(uint64_t address, State& state, const Now& now);
  static bool MayMeet(order::TypeId one, order::TypeId other,
                      order::Model& order);
  void Compare(uint64_t address, const State& state, size_t index,
               const Now& now);
  void Report(uint64_t address, const State& state, size_t index,
              const Now& now);

  order::VariableStates<State> variables_;
  SitePairs reported_;
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_RACE_HYBRID_H_
