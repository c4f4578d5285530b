#include "explore/trace_recorder.h"

#include "trace/kinds.h"

namespace fairlead::explore {

void AddUsed(std::span<const abi::Event> records, UsedNumbers& used) {
  for (const abi::Event& record : records) {
    if (trace::GroupOf(record.kind) == abi::EventGroup::kExtension) continue;
    const bool instrumented = (record.flags & abi::kFlagInstrumented) != 0;
    (instrumented ? used.sites : used.callers).insert(record.site);
    used.nodes.insert(record.node);
  }
}

TraceRecorder::TraceRecorder(trace::FileWriter writer)
    : writer_(std::move(writer)) {}

Result<TraceRecorder> TraceRecorder::Create(const std::string& path) {
  Result<trace::FileWriter> writer = trace::FileWriter::Create(path);
  if (!writer) return writer.error();
  return TraceRecorder(*std::move(writer));
}

void TraceRecorder::OnRecords(std::span<const abi::Event> records,
                              const ControlMemory&) {
  if (!status_) return;
  AddUsed(records, used_);
  status_ = writer_.AddRecords(records);
}

Status TraceRecorder::Finish(Namer& namer, std::string_view about) {
  if (!status_) return status_;
  if (Status put = writer_.AddAbout(about); !put) return put;
  if (Status put = writer_.AddNames(namer.For(used_)); !put) return put;
  return writer_.Finish();
}

}  // namespace fairlead::explore
