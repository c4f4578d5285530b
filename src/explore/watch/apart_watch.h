// explore/watch/apart_watch.h
//
// Keeps what an execution does to data that belongs together
// (analysis/asset/unit_log.h), with names once it is over.

#ifndef FAIRLEAD_EXPLORE_WATCH_APART_WATCH_H_
#define FAIRLEAD_EXPLORE_WATCH_APART_WATCH_H_

#include <memory>

#include "analysis/asset/effect.h"
#include "explore/watch/watcher.h"

namespace fairlead::explore {

using ApartSeen = analysis::asset::NamedLog;

class ApartWatch final : public Watcher {
 public:
  static constexpr WatcherId kId = WatcherId::kApart;
  using Seen = ApartSeen;

  uint64_t plan_flags() const override {
    return abi::kPlanTrace | abi::kPlanOwnFrames;
  }
  void OnBegin(trace::ProgramTables& tables, order::Orders&) override {
    log_->OnBegin(tables);
  }
  void OnEvent(const trace::Event& event) override { log_->OnEvent(event); }

  ApartSeen Finish(Namer& namer);
  Seen End(const Ended& ended) { return Finish(ended.namer); }

 private:
  std::shared_ptr<analysis::asset::UnitLog> log_ =
      std::make_shared<analysis::asset::UnitLog>();
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_WATCH_APART_WATCH_H_
