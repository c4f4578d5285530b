// explore/names/trace_keeper.h
//
// Keeps the events of an execution in memory, for a witness: the last ones, if
// there are too many. Blocks of the heap that they touch get names by order of
// allocation (heap#12), wherever in the execution they were allocated.

#ifndef FAIRLEAD_EXPLORE_NAMES_TRACE_KEEPER_H_
#define FAIRLEAD_EXPLORE_NAMES_TRACE_KEEPER_H_

#include <deque>
#include <map>

#include "explore/names/namer.h"
#include "explore/run/execution.h"
#include "trace/decode.h"
#include "trace/trace.h"

namespace fairlead::explore {

class TraceKeeper final : public RecordObserver {
 public:
  // About 200 bytes each.
  static constexpr size_t kMaxKept = 200'000;

  void OnRecords(std::span<const abi::Event> records,
                 const ControlMemory& memory) override;

  // What was kept, with names. Nothing if the records made no sense.
  trace::Trace Take(Namer& namer);

  // Whether there were more than it keeps, so that the first are missing.
  bool lost_events() const { return lost_events_; }

  struct HeapBlock {
    uint64_t bytes;
    uint64_t number;    // from 1
    uint32_t site = 0;  // where it was allocated, as in Event
    uint32_t node = 0;
    uint16_t flags = 0;
  };
  // By first byte; the latest there.
  const std::map<uint64_t, HeapBlock>& blocks() const { return blocks_; }

 private:
  void OnEvent(const trace::Event& event);
  void NameBlockAt(uint64_t address, trace::Names& names) const;

  trace::Decoder decoder_;
  bool broken_ = false;
  bool lost_events_ = false;
  std::deque<trace::Event> events_;
  std::map<uint64_t, HeapBlock> blocks_;
  uint64_t num_blocks_ = 0;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_NAMES_TRACE_KEEPER_H_
