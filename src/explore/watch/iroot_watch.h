// explore/watch/iroot_watch.h
//
// Watches an execution for iRoots: which it exposes, and, if asked, which
// others could. They come out over anchors, so that they mean the same in
// another execution, with another input and in another build.

#ifndef FAIRLEAD_EXPLORE_WATCH_IROOT_WATCH_H_
#define FAIRLEAD_EXPLORE_WATCH_IROOT_WATCH_H_

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "analysis/iroot/observer.h"
#include "analysis/iroot/profiler.h"
#include "explore/names/place_names.h"
#include "explore/watch/watcher.h"

namespace fairlead::explore {

using analysis::iroot::Candidate;
using analysis::iroot::IRoot;

// What an execution is watched for.
enum class IRootsWanted {
  kNone,
  kExposed,
  kPredicted,        // and exposed; all sites tell
  kPredictedShared,  // the same; sites that share nothing are idle
};

struct IRootsSeen {
  std::vector<IRoot> exposed;
  std::vector<std::pair<IRoot, Candidate>> predicted;
  // By anchor, all that have been asked for so far in the campaign.
  const std::map<uint64_t, SiteFacts>* facts = nullptr;
};

class IRootWatch final : public Watcher {
 public:
  static constexpr WatcherId kId = WatcherId::kIRoots;  // how: IRootsWanted
  using Seen = IRootsSeen;

  // Idioms behind `last_idiom` need not be predicted.
  explicit IRootWatch(IRootsWanted wanted,
                      uint8_t last_idiom = analysis::iroot::kNumIdioms);

  void OnBegin(trace::ProgramTables& tables, order::Orders& orders) override {
    if (profiler_ == nullptr) return;
    profiler_->Share(orders);
    profiler_->OnBegin(tables);
  }

  void OnEvent(const trace::Event& event) override {
    observer_.OnEvent(event);
    if (profiler_ != nullptr) profiler_->OnEvent(event);
  }

  // The execution is over, and has left `memory`. iRoots with a step that has
  // no anchor are left out.
  IRootsSeen Finish(const ControlMemory& memory, PlaceNames& names);
  Seen End(const Ended& ended) { return Finish(ended.memory, ended.places); }

 private:
  analysis::iroot::Observer observer_;
  std::unique_ptr<analysis::iroot::Profiler> profiler_;  // null = not asked for
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_WATCH_IROOT_WATCH_H_
