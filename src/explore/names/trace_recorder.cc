#include "explore/names/trace_recorder.h"

#include <array>

#include "trace/kinds.h"

namespace fairlead::explore {

void AddUsed(std::span<const abi::Event> records, UsedNumbers& used) {
  // What the same loop named before: a set per event would cost more than all
  // else that is done with it.
  struct Named {
    uint32_t site = ~0u;
    uint32_t node = ~0u;
    bool instrumented = false;
    bool operator==(const Named&) const = default;
  };
  std::array<Named, 256> recent;
  for (const abi::Event& record : records) {
    if (trace::GroupOf(record.kind) == abi::EventGroup::kExtension) continue;
    if (record.kind == abi::EventKind::kEnter) {
      used.functions.insert(static_cast<uint32_t>(record.value));
    }
    const bool instrumented = (record.flags & abi::kFlagInstrumented) != 0;
    Named& same = recent[(record.site * 31 + record.node) % recent.size()];
    const Named now = {record.site, record.node, instrumented};
    if (same == now) continue;
    same = now;
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
