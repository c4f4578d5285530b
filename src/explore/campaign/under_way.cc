#include "explore/campaign/under_way.h"

#include <algorithm>
#include <iterator>

#include "explore/campaign/watcher_table.h"

namespace fairlead::explore {

finding::QuietSites AllTold(const finding::QuietSites& quiet) {
  finding::QuietSites told;
  std::ranges::set_union(quiet.idle, quiet.ordered,
                         std::back_inserter(told.ordered));
  return told;
}

namespace {

Wishes WishesOf(const CampaignOptions& options, const Planned& planned) {
  Wishes wishes = planned.watch;
  if (options.all_sites) wishes.Leave(WatcherId::kProfile);
  // What foretells something may have to tell what leads there.
  if (wishes.Wants(WatcherId::kPredictions)) {
    wishes.Want(WatcherId::kAttempt);
  }
  return wishes;
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
  // Of data that belongs together, all that two units do to it is looked at.
  const bool profiled = planned.watch.Wants(WatcherId::kProfile) ||
                        planned.watch.Wants(WatcherId::kApart);
  if (!all) execution.quiet = profiled ? AllTold(quiet) : quiet;
  AddWatchers(
      {.wishes = WishesOf(options, planned),
       .complete = execution.quiet.idle.empty(),
       .last_idiom = options.memo == nullptr ? analysis::iroot::kNumIdioms
                                             : options.memo->last_idiom(),
       .look_for = options.look_for,
       .declared = &options.declared},
      execution.watched);
  task.observer = execution.watched.observer();
  task.plan.flags |= execution.watched.plan_flags();
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
