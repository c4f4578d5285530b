// analysis/cancel/cancel.h
//
// Threads that could be cancelled while they hold a lock, which then nobody
// gives back: a section of a thread, and a request to cancel it that nothing
// keeps from coming between the section's beginning and its end.
//
// Incomplete: whether cancellation is enabled in the section, and whether a
// clean-up handler gives the lock back, is not in the stream. Forcing tells.

#ifndef FAIRLEAD_ANALYSIS_CANCEL_CANCEL_H_
#define FAIRLEAD_ANALYSIS_CANCEL_CANCEL_H_

#include <vector>

#include "analysis/analysis.h"
#include "analysis/site_pairs.h"

namespace fairlead::analysis {

class Cancel final : public Analysis {
 public:
  // Sections of a thread that differ in place: beyond it, none are kept.
  static constexpr size_t kMaxSections = 256;

  std::string_view name() const override { return "cancel"; }
  void OnOther(const trace::Event& event, order::Model& order,
               PredictionSink& out) override;
  bool WantsAccesses() const override { return false; }

 private:
  struct Section {
    uint64_t lock = 0;
    order::Spot took;
    order::Spot gave;
    order::Epoch end;  // the latest of this place
  };
  struct Thread {
    std::vector<Section> open;
    std::vector<Section> closed;
    std::vector<order::Spot> requests;  // to cancel it
  };

  Thread& ThreadOf(Tid tid);
  void Give(const trace::Event& event, order::Model& order,
            PredictionSink& out);
  void Request(const trace::Event& event, order::Model& order,
               PredictionSink& out);
  void Report(const Section& section, const order::Spot& request,
              PredictionSink& out);

  std::vector<Thread> threads_;  // by Tid
  SitePairs reported_;
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_CANCEL_CANCEL_H_
