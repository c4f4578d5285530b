#include "explore/names/trace_keeper.h"

#include <fmt/core.h>

#include "trace/access.h"

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
    blocks_[event.address] = {.bytes = event.value,
                              .number = ++num_blocks_,
                              .site = event.site,
                              .node = event.node,
                              .flags = event.flags};
  }
  events_.push_back(event);
  if (events_.size() <= kMaxKept) return;
  events_.pop_front();
  lost_events_ = true;
}

void TraceKeeper::NameBlockAt(uint64_t address, trace::Names& names) const {
  const auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return;
  const auto& [first, block] = *std::prev(after);
  if (address - first >= block.bytes) return;
  names.objects.try_emplace(
      first,
      trace::ObjectName{fmt::format("heap#{}", block.number), block.bytes});
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
    NameBlockAt(event.address, kept.names);
    // What an access reads or writes may be a pointer.
    if (trace::IsAccess(event)) NameBlockAt(event.value, kept.names);
  }
  kept.events.assign(events_.begin(), events_.end());
  return kept;
}

}  // namespace fairlead::explore
