#include "analysis/asset/unit_log.h"

#include "order/access.h"

namespace fairlead::analysis::asset {

using trace::Event;
using trace::EventKind;

void UnitLog::OnEvent(const Event& event) {
  if (!is_complete() || tables_ == nullptr) return;
  if (order::AccessOf(event) != order::AccessKind::kNone) {
    OnAccess(event);
    return;
  }
  locks_.OnEvent(event);
  frames_.OnOther(event, locks_.HeldBy(event.tid).size(), [](UnitId) {});
  if (event.kind == EventKind::kEnter) {
    const trace::FunctionName* function = frames_.Entered(event.tid);
    if (function != nullptr && function->has(abi::kFunctionThis)) {
      objects_.OnMethod(function->type, event.address,
                        function->has(abi::kFunctionConstructor));
    }
    return;
  }
  objects_.OnOther(event);
  objects_.TakeGone();
  if (event.kind == EventKind::kFree) {
    entries_.push_back({.seq = event.seq,
                        .tid = event.tid,
                        .unit = {},
                        .set = nullptr,
                        .address = event.address,
                        .bytes = event.value});
  }
}

void UnitLog::OnAccess(const Event& event) {
  const std::optional<Located> located = objects_.Locate(event);
  if (!located) return;
  const UnitFrame& unit = frames_.UnitOf(event.tid, *located->set);
  const trace::SiteName& site = tables_->SiteOf(event);
  const order::AccessKind kind = order::AccessOf(event);
  constexpr uint32_t kOfThisExecution = abi::kSitePointer | abi::kSiteNoValue;
  const bool known = (site.flags & kOfThisExecution) == 0 && event.size != 0 &&
                     event.size <= sizeof event.value;
  entries_.push_back({.seq = event.seq,
                      .tid = event.tid,
                      .site = event.site,
                      .node = event.node,
                      .unit = unit.id,
                      .unit_node = unit.node,
                      .set = located->set,
                      .field = located->field,
                      .buffer = located->buffer,
                      .reads = order::Reads(kind),
                      .writes = order::Writes(kind),
                      .known = known,
                      .offset = located->offset,
                      .address = event.address,
                      .bytes = event.size,
                      .value = event.value});
}

}  // namespace fairlead::analysis::asset
