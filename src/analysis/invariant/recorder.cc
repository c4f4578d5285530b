#include "analysis/invariant/recorder.h"

#include "order/access.h"
#include "trace/access.h"

namespace fairlead::analysis {

using abi::GuardHistory;

const std::set<Predecessor>* PredecessorRecorder::OnEvent(
    const trace::Event& event) {
  if (trace::IsAccess(event)) {
    OnAccess(event);
    return &found_;
  }
  if (order::EndsMemory(event.kind)) {
    memory_.Forget(event.address, event.value, [](uint64_t, Cell&) {});
  }
  return nullptr;
}

void PredecessorRecorder::OnAccess(const trace::Event& event) {
  found_.clear();
  memory_.Touch(event.address, event.size, [&](uint64_t, Cell& cell) {
    const bool own = cell.touched && cell.tid == event.tid;
    const bool again = own && cell.last.site == event.site;
    if (cell.touched && !own) cell.other = cell.last;
    found_.insert(cell.other);
    cell.touched = true;
    cell.tid = event.tid;
    cell.last = {.site = event.site,
                 .history = again ? GuardHistory::kAgain
                            : own ? GuardHistory::kNext
                                  : GuardHistory::kFirst};
  });
}

}  // namespace fairlead::analysis
