// explore/watch/race_watch.h
//
// Watches an execution for data races (analysis/race/seen_races.h), and names
// what it saw: one claim for each cause. Races on the same bytes, and races
// between the same two lines, have one cause.

#ifndef FAIRLEAD_EXPLORE_WATCH_RACE_WATCH_H_
#define FAIRLEAD_EXPLORE_WATCH_RACE_WATCH_H_

#include <set>
#include <string>
#include <vector>

#include "analysis/race/seen_races.h"
#include "explore/names/namer.h"
#include "explore/watch/watcher.h"
#include "finding/finding.h"

namespace fairlead::explore {

struct NamedRace {
  // Kind, severity, message, details, sites, fingerprint; nothing of a witness.
  finding::Finding finding;
  bool realised = false;  // else only possible
  // What makes it the same as another: pairs of lines, names of variables.
  std::set<std::string> marks;
  uint64_t earlier = 0;  // the accesses, by Event::seq
  uint64_t later = 0;

  bool IsSame(const NamedRace& other) const;
};

class RaceWatch final : public Watcher {
 public:
  static constexpr WatcherId kId = WatcherId::kRaces;
  using Seen = std::vector<NamedRace>;

  // `complete`: no site of the program is idle.
  explicit RaceWatch(bool complete) : races_(complete) {}

  void OnEvent(const trace::Event& event) override { races_.OnEvent(event); }

  // The execution is over. `objects`: names of further objects, by first byte.
  // The worst of each cause comes first.
  using Objects = std::map<uint64_t, trace::ObjectName>;
  std::vector<NamedRace> Finish(Namer& namer, const Objects& objects = {});
  Seen End(const Ended& ended) { return Finish(ended.namer); }

 private:
  analysis::SeenRaces races_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_WATCH_RACE_WATCH_H_
