#include "analysis/sharing/progress.h"

#include "trace/access.h"
#include "trace/kinds.h"

namespace fairlead::analysis {

void Progress::OnEvent(const trace::Event& event) {
  if (trace::GroupOf(event.kind) != trace::EventGroup::kAccess ||
      event.kind == trace::EventKind::kFence || !event.instrumented()) {
    return;
  }
  const size_t index = abi::Index(event.tid);
  if (index >= threads_.size()) threads_.resize(index + 1);
  Thread& thread = threads_[index];
  if (Writes(event)) {
    ++thread.num_writes;
    thread.last_write = event.site;
    return;
  }
  Read& read = reads_[uint64_t{index} << 32 | event.site];
  const bool same = read.address == event.address && read.value == event.value;
  const bool wrote = read.num_writes != thread.num_writes;
  if (same && wrote && ++read.repeats >= kRepeats) {
    pairs_.emplace(event.site, thread.last_write);
  }
  if (!same) read.repeats = 0;
  read.address = event.address;
  read.value = event.value;
  read.num_writes = thread.num_writes;
}

}  // namespace fairlead::analysis
