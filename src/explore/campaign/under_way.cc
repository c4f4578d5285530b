#include "explore/campaign/under_way.h"

#include <algorithm>
#include <iterator>

namespace fairlead::explore {

finding::QuietSites AllTold(const finding::QuietSites& quiet) {
  finding::QuietSites told;
  std::ranges::set_union(quiet.idle, quiet.ordered,
                         std::back_inserter(told.ordered));
  return told;
}

namespace {

// Where idle sites hide what orders accesses, only those count that threads
// stood before at once, which what is forced brings about.
void WatchRaces(UnderWay& execution) {
  const bool complete = execution.quiet.idle.empty();
  if (!complete && execution.attempt == nullptr) return;
  execution.races = std::make_unique<RaceWatch>(complete);
  execution.stream->Add(*execution.races);
}

}  // namespace

Task TaskOf(const CampaignOptions& options, const finding::QuietSites& quiet,
            UnderWay& execution) {
  const Planned& planned = execution.planned;
  Task task;
  task.plan.flags = abi::kPlanQuiet | abi::kPlanNoDigest;
  if (planned.iterations == 0) task.plan.flags |= abi::kPlanRecord;
  if (options.spurious) task.plan.flags |= abi::kPlanSpurious;
  task.plan.flags = WithPolicies(task.plan.flags | options.early);
  if (!options.setting.drive.empty()) task.plan.flags |= abi::kPlanDriven;
  task.plan.max_steps = options.max_steps;
  planned.WriteTo(task.plan);
  const bool all = options.all_sites || planned.sites == Sites::kAll;
  if (!all) execution.quiet = planned.profile ? AllTold(quiet) : quiet;
  if (planned.profile && !options.all_sites) {
    execution.profiler = std::make_unique<Profiler>(planned.races);
  }
  if (planned.iroots != IRootsWanted::kNone) {
    const bool shared = planned.iroots == IRootsWanted::kPredictedShared;
    execution.iroots = std::make_unique<IRootWatch>(
        shared && planned.profile ? IRootsWanted::kPredicted : planned.iroots,
        options.memo == nullptr ? analysis::iroot::kNumIdioms
                                : options.memo->last_idiom());
  }
  // What foretells something may have to tell what leads there.
  if (planned.attempt || execution.predictions != nullptr) {
    execution.attempt = std::make_unique<AttemptObserver>();
  }
  if (execution.profiler != nullptr || execution.attempt != nullptr ||
      execution.iroots != nullptr) {
    execution.stream = std::make_unique<EventStream>();
    if (execution.iroots) execution.stream->Add(*execution.iroots);
    if (execution.profiler) execution.stream->Add(*execution.profiler);
    if (execution.predictions) execution.stream->Add(*execution.predictions);
    if (execution.attempt) execution.stream->Add(*execution.attempt);
    WatchRaces(execution);
    task.observer = execution.stream.get();
    task.plan.flags |= abi::kPlanTrace;
  }
  task.follow = {.choices = planned.prefix,
                 .inputs = {},
                 .payload = {},
                 .idle_sites = execution.quiet.idle,
                 .ordered_sites = execution.quiet.ordered,
                 .weights = planned.weights,
                 .target = planned.target};
  task.timeout = options.timeout;
  return task;
}

}  // namespace fairlead::explore
