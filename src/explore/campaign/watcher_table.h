// explore/campaign/watcher_table.h
//
// The watchers that executions of a campaign may have: one line for each in
// watcher_table.cc says how it is made. This is the only place that knows all
// of them.

#ifndef FAIRLEAD_EXPLORE_CAMPAIGN_WATCHER_TABLE_H_
#define FAIRLEAD_EXPLORE_CAMPAIGN_WATCHER_TABLE_H_

#include <span>
#include <string>

#include "analysis/declared.h"
#include "explore/watch/watched.h"

namespace fairlead::explore {

// What a watcher may have to know to be made.
struct WatchOrder {
  Wishes wishes;
  bool complete = true;    // no site of the program is idle
  uint8_t last_idiom = 0;  // iRoots of later ones need not be predicted
  std::span<const std::string> look_for = {};    // by predictions; empty = all
  const analysis::Declared* declared = nullptr;  // null = nothing
};

// Adds what the wishes name to `watched`. Whoever is watched at all is also
// watched for data races, which costs little then.
void AddWatchers(const WatchOrder& order, Watched& watched);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_CAMPAIGN_WATCHER_TABLE_H_
