// explore/run/record_tee.h
//
// Tells the records of an execution to several observers.

#ifndef FAIRLEAD_EXPLORE_RUN_RECORD_TEE_H_
#define FAIRLEAD_EXPLORE_RUN_RECORD_TEE_H_

#include <vector>

#include "explore/run/execution.h"

namespace fairlead::explore {

class RecordTee final : public RecordObserver {
 public:
  // Before the first record; it must live as long as records come.
  void Add(RecordObserver& observer) { observers_.push_back(&observer); }
  bool empty() const { return observers_.empty(); }

  void OnRecords(std::span<const abi::Event> records,
                 const ControlMemory& memory) override {
    for (RecordObserver* each : observers_) each->OnRecords(records, memory);
  }

 private:
  std::vector<RecordObserver*> observers_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_RUN_RECORD_TEE_H_
