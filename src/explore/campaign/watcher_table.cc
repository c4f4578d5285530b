#include "explore/campaign/watcher_table.h"

#include "explore/aim/preconditions.h"
#include "explore/watch/apart_watch.h"
#include "explore/watch/iroot_watch.h"
#include "explore/watch/prediction_observer.h"
#include "explore/watch/profile.h"
#include "explore/watch/race_watch.h"

namespace fairlead::explore {
namespace {

using Made = std::unique_ptr<Watcher>;

Made MakeIRoots(const WatchOrder& order) {
  auto wanted = order.wishes.HowOf<IRootsWanted>(WatcherId::kIRoots);
  // Of a profile all sites tell.
  if (wanted == IRootsWanted::kPredictedShared &&
      order.wishes.Wants(WatcherId::kProfile)) {
    wanted = IRootsWanted::kPredicted;
  }
  return std::make_unique<IRootWatch>(wanted, order.last_idiom);
}

Made MakeProfile(const WatchOrder& order) {
  return std::make_unique<Profiler>(
      order.wishes.HowOf<ProfileOf>(WatcherId::kProfile) == ProfileOf::kRaces);
}

Made MakePredictions(const WatchOrder& order) {
  Predictor predictor(order.look_for);
  if (order.declared != nullptr) predictor.Declare(*order.declared);
  return std::make_unique<PredictionObserver>(std::move(predictor));
}

Made MakeAttempt(const WatchOrder&) {
  return std::make_unique<AttemptObserver>();
}

// Where idle sites hide what orders accesses, only those count that threads
// stood before at once, which what is forced brings about.
Made MakeRaces(const WatchOrder& order) {
  if (!order.complete && !order.wishes.Wants(WatcherId::kAttempt)) return {};
  return std::make_unique<RaceWatch>(order.complete);
}

Made MakeApart(const WatchOrder&) { return std::make_unique<ApartWatch>(); }

// In the order in which they are given events.
constexpr struct {
  WatcherId id;
  Made (*make)(const WatchOrder& order);  // null = not in this execution
} kTable[] = {
    {WatcherId::kIRoots, MakeIRoots},
    {WatcherId::kProfile, MakeProfile},
    {WatcherId::kPredictions, MakePredictions},
    {WatcherId::kAttempt, MakeAttempt},
    {WatcherId::kRaces, MakeRaces},
    {WatcherId::kApart, MakeApart},
};
// The others are added by who needs them.
static_assert(std::size(kTable) + 2 == kNumWatchers);

}  // namespace

void AddWatchers(const WatchOrder& order, Watched& watched) {
  if (order.wishes.empty()) return;
  for (const auto& [id, make] : kTable) {
    if (!order.wishes.Wants(id) && id != WatcherId::kRaces) continue;
    if (Made watcher = make(order)) watched.Add(id, std::move(watcher));
  }
}

}  // namespace fairlead::explore
