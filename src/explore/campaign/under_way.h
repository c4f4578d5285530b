// explore/campaign/under_way.h
//
// One execution of a campaign from its plan to its end: what it is told, and
// who watches it.

#ifndef FAIRLEAD_EXPLORE_CAMPAIGN_UNDER_WAY_H_
#define FAIRLEAD_EXPLORE_CAMPAIGN_UNDER_WAY_H_

#include <memory>
#include <optional>
#include <vector>

#include "explore/aim/preconditions.h"
#include "explore/campaign/campaign.h"
#include "explore/plan/planner.h"
#include "explore/run/runner.h"
#include "explore/watch/event_stream.h"
#include "explore/watch/prediction_observer.h"
#include "explore/watch/profile.h"
#include "explore/watch/race_watch.h"

namespace fairlead::explore {

struct UnderWay {
  explicit UnderWay(Planned plan, Planner* who = nullptr)
      : planned(std::move(plan)), planner(who) {}

  Planned planned;
  Planner* planner;  // null = a reference
  finding::QuietSites quiet = {};
  // Null = nobody wants to know. All listen to `stream`.
  std::unique_ptr<Profiler> profiler = {};
  std::unique_ptr<PredictionObserver> predictions = {};
  std::unique_ptr<IRootWatch> iroots = {};
  std::unique_ptr<AttemptObserver> attempt = {};
  std::unique_ptr<RaceWatch> races = {};
  std::unique_ptr<EventStream> stream = {};

  // Has it analysed as well; before TaskOf.
  void Predict() {
    predictions = std::make_unique<PredictionObserver>(Predictor());
  }

  // Whether somebody watched it, and what came made sense.
  bool WasSeen() const { return stream != nullptr && stream->status(); }
  // What happened in it, once it is over; null when nobody collected that.
  SeenPointer Seen(Namer& namer) const {
    if (attempt == nullptr || !WasSeen()) return nullptr;
    return std::make_shared<SeenExecution>(attempt->Finish(namer, 0));
  }
};

// The same points, and all sites tell.
finding::QuietSites AllTold(const finding::QuietSites& quiet);

// What a runner needs to start `execution`; refers to what is in it, and makes
// its observers. The sites of `quiet` are no points unless the plan wants all.
Task TaskOf(const CampaignOptions& options, const finding::QuietSites& quiet,
            UnderWay& execution);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_CAMPAIGN_UNDER_WAY_H_
