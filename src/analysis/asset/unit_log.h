// analysis/asset/unit_log.h
//
// What an execution did to atomic sets, access by access with the unit and the
// value, kept so that two of its units can be looked at when it is over: what
// they found, what they left, and what each saw (analysis/asset/effect.h).
//
// Unsound: kMaxEntries accesses.

#ifndef FAIRLEAD_ANALYSIS_ASSET_UNIT_LOG_H_
#define FAIRLEAD_ANALYSIS_ASSET_UNIT_LOG_H_

#include <memory>
#include <vector>

#include "analysis/asset/frames.h"
#include "analysis/asset/objects.h"
#include "order/locksets.h"

namespace fairlead::analysis::asset {

struct LoggedAccess {
  uint64_t seq = 0;
  trace::Tid tid = trace::Tid::kNone;
  uint32_t site = 0;
  uint32_t node = 0;
  UnitId unit;  // activation 0 = in none
  uint32_t unit_node = 0;
  std::shared_ptr<SetInstance> set;  // null = memory was freed
  uint32_t field = 0;
  bool buffer = false;
  bool reads = false;
  bool writes = false;
  bool known = false;  // whether `value` says something in another execution
  uint64_t offset = 0;
  uint64_t address = 0;
  uint64_t bytes = 0;
  uint64_t value = 0;
};

class UnitLog {
 public:
  static constexpr size_t kMaxEntries = 200'000;

  void OnBegin(trace::ProgramTables& tables) {
    tables_ = &tables;
    objects_.Begin(tables);
    frames_.Begin(tables, objects_.layouts());
  }
  void OnEvent(const trace::Event& event);

  const std::vector<LoggedAccess>& entries() const { return entries_; }
  bool is_complete() const { return entries_.size() < kMaxEntries; }

 private:
  void OnAccess(const trace::Event& event);

  trace::ProgramTables* tables_ = nullptr;
  Objects objects_;
  Frames frames_;
  order::Locksets locks_;
  std::vector<LoggedAccess> entries_;
};

}  // namespace fairlead::analysis::asset

#endif  // FAIRLEAD_ANALYSIS_ASSET_UNIT_LOG_H_
