#include "explore/trace_keeper.h"

#include <fmt/core.h>

namespace fairlead::explore {

using trace::EventKind;

void TraceKeeper::OnRecords(std::span<const abi::Event> records,
                            const ControlMemory&) {
  if (broken_) return;
  const Status decoded = decoder_.EachUntrusted(
      records, [&](const trace::Event& event) { OnEvent(event); });
  broken_ = !decoded;
}

void TraceKeeper::OnEvent(const trace::Event& event) {
  if (event.kind == EventKind::kAlloc || event.kind == EventKind::kRealloc) {
    blocks_[event.address] = {event.value, ++num_blocks_};
  }
  events_.push_back(event);
  if (events_.size() > kMaxKept) events_.pop_front();
}

trace::Trace TraceKeeper::Take(Namer& namer) {
  trace::Trace kept;
  UsedNumbers used;
  for (const trace::Event& event : events_) {
    if (event.site != 0) {
      (event.instrumented() ? used.sites : used.callers).insert(event.site);
    }
    used.nodes.insert(event.node);
  }
  kept.names = namer.For(used);
  for (const trace::Event& event : events_) {
    const auto after = blocks_.upper_bound(event.address);
    if (after == blocks_.begin()) continue;
    const auto& [first, block] = *std::prev(after);
    if (event.address - first >= block.bytes) continue;
    kept.names.objects.try_emplace(
        first,
        trace::ObjectName{fmt::format("heap#{}", block.number), block.bytes});
  }
  kept.events.assign(events_.begin(), events_.end());
  return kept;
}

}  // namespace fairlead::explore
