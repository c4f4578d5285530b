// explore/judge/oracle_watch.h
//
// Passes the events of one execution to those oracles that want to see them.
// Each oracle has an observer of its own for each execution, since several are
// under way at once, and gets it back with the evidence
// (explore/judge/oracle.h).

#ifndef FAIRLEAD_EXPLORE_JUDGE_ORACLE_WATCH_H_
#define FAIRLEAD_EXPLORE_JUDGE_ORACLE_WATCH_H_

#include <memory>
#include <utility>
#include <vector>

#include "explore/watch/watcher.h"

namespace fairlead::explore {

class OracleWatch final : public Watcher {
 public:
  static constexpr WatcherId kId = WatcherId::kOracles;

  // By oracle, in the order of the list; null = it wants none.
  using Observers = std::vector<std::unique_ptr<EventObserver>>;
  explicit OracleWatch(Observers observers)
      : observers_(std::move(observers)) {}

  void OnBegin(trace::ProgramTables& tables, order::Orders& orders) override {
    for (const auto& each : observers_) {
      if (each != nullptr) each->OnBegin(tables, orders);
    }
  }
  void OnEvent(const trace::Event& event) override {
    for (const auto& each : observers_) {
      if (each != nullptr) each->OnEvent(event);
    }
  }

  // What watched for that oracle; null = nothing did.
  EventObserver* For(size_t oracle) const {
    return oracle < observers_.size() ? observers_[oracle].get() : nullptr;
  }

 private:
  Observers observers_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_ORACLE_WATCH_H_
