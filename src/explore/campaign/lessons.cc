#include "explore/campaign/lessons.h"

#include "explore/watch/iroot_watch.h"
#include "explore/watch/prediction_observer.h"
#include "explore/watch/profile.h"

namespace fairlead::explore {

void Lessons::TeachPlanner(const Finished& finished, UnderWay& execution,
                           Observed::End end, const Progress& progress) {
  Observed observed = ObservedOf(finished.executed, end);
  observed.watched = &execution.watched;
  observed.nanoseconds =
      static_cast<uint64_t>((progress.elapsed - learnt_at_).count());
  learnt_at_ = progress.elapsed;
  if (execution.planner != nullptr) {
    execution.planner->Learn(execution.planned, observed);
    return;
  }
  // A reference has no planner.
  if (options_.memo == nullptr || end == Observed::End::kFailed) return;
  if (const IRootsSeen* seen = observed.By<IRootWatch>()) {
    options_.memo->Learn(*seen, *seen->facts, observed.nanoseconds);
  }
}

Status Lessons::Take(const Finished& finished, UnderWay& execution,
                     Observed::End end, const Progress& progress, bool hurry) {
  Watched& watched = execution.watched;
  std::function<bool(uint64_t)> is_shared;
  if (options_.memo != nullptr) {
    is_shared = [&](uint64_t anchor) {
      return options_.memo->facts().contains(anchor);
    };
  }
  watched.End(*finished.executed.memory, places_, std::move(is_shared));
  TeachPlanner(finished, execution, end, progress);
  if (const SiteUse* use = watched.By<Profiler>()) idle_sites_.Learn(*use);
  if (const Predicted* predicted = watched.By<PredictionObserver>()) {
    targets = ForetoldBy(*predicted);
    reference = *watched.By<AttemptObserver>();
  }
  if (end != Observed::End::kOk) return {};
  if (const ApartSeen* seen = watched.By<ApartWatch>()) {
    if (Status taken =
            apart_.Add(*seen, finished, execution, progress.executions, hurry);
        !taken) {
      return taken;
    }
  }
  const std::vector<NamedRace>* races = watched.By<RaceWatch>();
  if (races == nullptr) return {};
  return races_.Add(*races, finished, execution, progress.executions, hurry);
}

}  // namespace fairlead::explore
