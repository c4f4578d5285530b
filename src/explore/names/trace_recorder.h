// explore/names/trace_recorder.h
//
// Writes the records of an execution to a trace file while it goes on, and the
// names at its end. A write that fails ends the writing, not the reading: the
// program goes on, and `Finish` tells what went wrong.

#ifndef FAIRLEAD_EXPLORE_NAMES_TRACE_RECORDER_H_
#define FAIRLEAD_EXPLORE_NAMES_TRACE_RECORDER_H_

#include <string>
#include <string_view>

#include "base/result.h"
#include "explore/names/namer.h"
#include "explore/run/execution.h"
#include "trace/file_writer.h"

namespace fairlead::explore {

class TraceRecorder final : public RecordObserver {
 public:
  // Creates the file, so that one that cannot be written is known before the
  // program runs.
  static Result<TraceRecorder> Create(const std::string& path);

  void OnRecords(std::span<const abi::Event> records,
                 const ControlMemory& memory) override;

  // `about` is kept in the file as it is.
  Status Finish(Namer& namer, std::string_view about);

 private:
  explicit TraceRecorder(trace::FileWriter writer);

  trace::FileWriter writer_;
  UsedNumbers used_;
  Status status_;
};

// Adds the numbers that these records name.
void AddUsed(std::span<const abi::Event> records, UsedNumbers& used);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_NAMES_TRACE_RECORDER_H_
