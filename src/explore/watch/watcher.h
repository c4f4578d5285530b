// explore/watch/watcher.h
//
// A watcher sees the events of one execution and has a result once it is over:
// which sites are shared, which iRoots were exposed, what could go wrong. Who
// plans executions names the watchers that it wishes for (`Wishes`), and asks
// for their results by type (explore/watch/watched.h). Which watcher belongs to
// which id is one table (explore/campaign/watcher_table.cc): a technique adds
// an id here and a line there.
//
// Besides what the base class asks for, a watcher has
//   static constexpr WatcherId kId
//   using Seen = …                        its result
//   Seen End(const Ended& ended)          called once, when somebody asks

#ifndef FAIRLEAD_EXPLORE_WATCH_WATCHER_H_
#define FAIRLEAD_EXPLORE_WATCH_WATCHER_H_

#include <array>
#include <cstdint>
#include <functional>

#include "abi/control.h"
#include "explore/names/namer.h"
#include "explore/names/place_names.h"
#include "explore/watch/event_stream.h"

namespace fairlead::explore {

enum class WatcherId : uint8_t {
  kIRoots,       // IRootWatch
  kProfile,      // Profiler
  kPredictions,  // PredictionObserver
  kAttempt,      // AttemptObserver
  kRaces,        // RaceWatch
  kOracles,      // OracleWatch; the oracles add it
  kReference,    // ReferenceWatch; serial references add it
  kApart,        // ApartWatch
};
inline constexpr size_t kNumWatchers = 8;

// Which watchers an execution is to have, and what each is to look for.
class Wishes {
 public:
  // `how` is the watcher's own, and not 0.
  template <typename How>
  void Want(WatcherId id, How how) {
    how_[static_cast<size_t>(id)] = static_cast<uint8_t>(how);
  }
  void Want(WatcherId id) { Want(id, 1); }
  void Leave(WatcherId id) { Want(id, 0); }

  bool Wants(WatcherId id) const { return how_[static_cast<size_t>(id)] != 0; }
  template <typename How>
  How HowOf(WatcherId id) const {
    return static_cast<How>(how_[static_cast<size_t>(id)]);
  }
  bool empty() const { return how_ == std::array<uint8_t, kNumWatchers>(); }

 private:
  std::array<uint8_t, kNumWatchers> how_ = {};  // by id; 0 = not wanted
};

// What is there for results once an execution is over.
struct Ended {
  const ControlMemory& memory;
  Namer& namer;        // of this execution
  PlaceNames& places;  // of all executions of the campaign
  // Whether the site with this anchor is known to share something, with
  // whatever input; may be null.
  const std::function<bool(uint64_t anchor)>& is_shared;
};

class Watcher : public EventObserver {
 public:
  // What the plan of the execution must have for it: PlanFlag bits.
  virtual uint64_t plan_flags() const { return abi::kPlanTrace; }
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_WATCH_WATCHER_H_
