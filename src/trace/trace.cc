#include "trace/trace.h"

#include <algorithm>
#include <set>

#include "base/check.h"
#include "trace/kinds.h"

namespace fairlead::trace {
namespace {

class Validator {
 public:
  explicit Validator(const Trace& trace) : names_(trace.names) {}

  Status Check(const Event& event) {
    if (!first_ && event.seq <= last_seq_) {
      return Wrong(event, "comes before its predecessor");
    }
    first_ = false;
    last_seq_ = event.seq;
    if (ended_.contains(event.tid)) {
      return Wrong(event, "comes after its thread's end");
    }
    if (event.kind == EventKind::kEnd) ended_.insert(event.tid);
    seen_.insert(event.tid);
    if (event.kind == EventKind::kFork) return CheckFork(event);
    if (GroupOf(event.kind) == EventGroup::kWake && event.value > event.seq) {
      return Wrong(event, "is woken by a later event");
    }
    return {};
  }

 private:
  Status CheckFork(const Event& event) {
    const Tid created{static_cast<uint16_t>(event.value)};
    if (event.value >= abi::kMaxThreads || created == Tid::kMain) {
      return Wrong(event, "creates a thread that cannot be");
    }
    if (!seen_.insert(created).second) {
      return Wrong(event, "creates a thread that was there before");
    }
    return {};
  }

  Error Wrong(const Event& event, std::string_view what) const {
    return Error(ErrorCode::kMalformed)
        .Say("event {} ({}: {}) {}", event.seq, names_.ThreadText(event.tid),
             WordOf(event.kind), what);
  }

  const Names& names_;
  std::set<Tid> seen_;
  std::set<Tid> ended_;
  uint64_t last_seq_ = 0;
  bool first_ = true;
};

}  // namespace

const Event* Trace::FindEvent(uint64_t seq) const {
  const auto found = std::ranges::lower_bound(
      events, seq, {}, [](const Event& event) { return event.seq; });
  return found == events.end() || found->seq != seq ? nullptr : &*found;
}

const Event& Trace::operator[](std::string_view label) const {
  const auto found = labels.find(label);
  FL_CHECK(found != labels.end(), "no label #{}", label);
  const Event* event = FindEvent(found->second);
  FL_CHECK(event != nullptr, "no event at label #{}", label);
  return *event;
}

Status Validate(const Trace& trace) {
  Validator validator(trace);
  for (const Event& event : trace.events) {
    if (Status status = validator.Check(event); !status) return status;
  }
  return {};
}

}  // namespace fairlead::trace
