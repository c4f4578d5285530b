// analysis/race/hybrid.h
//
// Races that another schedule could have: two conflicting accesses of different
// threads that hold no lock in common which would keep them apart, and that are
// not ordered by anything but locks (O'Callahan and Choi, PPoPP 2003; the first
// phase of RaceFuzzer: Sen, PLDI 2008). Finds what the lock order of this
// execution hides from analysis/race/race.h, and everything that that finds.
//
// Looks at the history of each variable (order/variable_histories.h): the
// accesses that differ in thread, place, kind or lockset; of those that agree
// in all of them, the last. Partners of an entry are those that it may meet.
//
// Incomplete: what keeps accesses apart may be more than locks and order: a
// value that decides whether the second one happens at all. Forcing tells.

#ifndef FAIRLEAD_ANALYSIS_RACE_HYBRID_H_
#define FAIRLEAD_ANALYSIS_RACE_HYBRID_H_

#include "analysis/analysis.h"
#include "analysis/site_pairs.h"

namespace fairlead::analysis {

class Hybrid final : public Analysis {
 public:
  std::string_view name() const override { return "hybrid"; }
  void OnAccess(const trace::Event& event, order::Model& order,
                PredictionSink& out) override;
  void OnOther(const trace::Event& event, order::Model& order,
               PredictionSink& out) override;

 private:
  // The access or free at hand, to one variable.
  struct Now {
    order::TypeId type;
    uint64_t seq;
    uint64_t address;
    order::Model& order;
    PredictionSink& out;
  };

  void OnNews(const order::Entered& entered, const Now& now);
  static bool MayMeet(order::TypeId one, order::TypeId other,
                      order::Model& order);
  void Compare(const order::History& history, size_t index, const Now& now);
  void Report(const order::History& history, size_t index, const Now& now);

  SitePairs reported_;
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_RACE_HYBRID_H_
