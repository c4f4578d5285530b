#include "finding/slice_race.h"

#include <algorithm>
#include <optional>
#include <set>

#include "trace/access.h"
#include "trace/kinds.h"
#include "trace/slice.h"

namespace fairlead::finding {
namespace {

using trace::Event;
using trace::EventGroup;
using trace::EventKind;

// Of each thread, so many synchronisation calls and accesses to the same bytes
// ahead of its access, and so many behind it.
constexpr size_t kAhead = 4;
constexpr size_t kBehind = 2;

bool Overlap(const Event& one, const Event& other) {
  return one.address < other.address + other.size &&
         other.address < one.address + one.size;
}

bool Tells(const Event& event, const Event& access) {
  switch (trace::GroupOf(event.kind)) {
    case EventGroup::kAccess:
      return trace::IsAccess(event) && Overlap(event, access);
    case EventGroup::kSync:
      return event.kind != EventKind::kInit &&
             event.kind != EventKind::kOnceDone;
    default:
      return false;
  }
}

class Slicer {
 public:
  explicit Slicer(const trace::Trace& whole) : events_(whole.events) {}

  std::optional<size_t> Find(uint64_t seq) const {
    const auto found = std::ranges::lower_bound(events_, seq, {}, &Event::seq);
    if (found == events_.end() || found->seq != seq) return {};
    return static_cast<size_t>(found - events_.begin());
  }

  void TakeAround(size_t at) {
    chosen_.insert(at);
    size_t room = kAhead;
    for (size_t i = at; i-- > 0 && room > 0;) room -= Take(i, at);
    room = kBehind;
    for (size_t i = at + 1; i < events_.size() && room > 0; ++i) {
      room -= Take(i, at);
    }
  }

  // Where the thread of this event was created.
  void TakeCreation(size_t at) {
    for (size_t i = 0; i < at; ++i) {
      const Event& event = events_[i];
      if (event.kind != EventKind::kFork) continue;
      if (event.value == abi::Index(events_[at].tid)) chosen_.insert(i);
    }
  }

  const std::set<size_t>& chosen() const { return chosen_; }

 private:
  size_t Take(size_t i, size_t at) {
    const Event& access = events_[at];
    if (events_[i].tid != access.tid || !Tells(events_[i], access)) return 0;
    chosen_.insert(i);
    return 1;
  }

  const std::vector<Event>& events_;
  std::set<size_t> chosen_;
};

}  // namespace

trace::Trace SliceForRace(const trace::Trace& whole, uint64_t earlier,
                          uint64_t later) {
  Slicer slicer(whole);
  for (const uint64_t seq : {earlier, later}) {
    const std::optional<size_t> at = slicer.Find(seq);
    if (!at) continue;
    slicer.TakeCreation(*at);
    slicer.TakeAround(*at);
  }
  trace::Trace slice;
  for (const size_t index : slicer.chosen()) {
    slice.events.push_back(whole.events[index]);
  }
  slice.names = trace::NamesFor(slice.events, whole.names);
  return slice;
}

}  // namespace fairlead::finding
