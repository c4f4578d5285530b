// explore/judge/determinism.h
//
// Compares repetitions of one execution, event by event, and tells the first
// difference. Events are compared by what they mean (trace/digest.h), so that
// addresses may differ.

#ifndef FAIRLEAD_EXPLORE_JUDGE_DETERMINISM_H_
#define FAIRLEAD_EXPLORE_JUDGE_DETERMINISM_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explore/names/namer.h"
#include "explore/run/execution.h"
#include "trace/decode.h"
#include "trace/digest.h"
#include "trace/event.h"

namespace fairlead::explore {

// Keeps the events of one execution, or compares another one with them.
class Comparison final : public RecordObserver {
 public:
  // Begins a repetition; the first one is what the others are held against.
  void BeginRepetition();

  void OnRecords(std::span<const abi::Event> records,
                 const ControlMemory& memory) override;

  // After a repetition: how it differs from the first, in lines; empty if it
  // does not.
  std::vector<std::string> Differences(const Executed& executed, Namer& namer);

 private:
  // Events beyond this many are not kept: 32 bytes each, 128 MB in all. The
  // digests in the outcome still cover the rest.
  static constexpr size_t kMaxKept = size_t{1} << 22;

  void KnowModule(const trace::Event& event, const ControlMemory& memory);
  void OnEvent(const trace::Event& event, const ControlMemory& memory);
  std::string EventText(const trace::Event& event, Namer& namer) const;

  bool first_ = true;
  std::vector<uint64_t> words_;      // of the first repetition
  std::vector<abi::Event> records_;  // of the first repetition, as they came
  std::optional<abi::Outcome> outcome_;
  int exit_ = 0;

  trace::Decoder decoder_;
  trace::ExecutionDigest digest_;
  uint64_t num_events_ = 0;
  std::vector<abi::ModuleEntry> modules_;  // as last looked at
  std::optional<trace::Event> parted_;     // the first event that differs
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_DETERMINISM_H_
