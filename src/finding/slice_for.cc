#include "finding/slice_for.h"

#include <algorithm>
#include <map>
#include <vector>

#include "trace/access.h"
#include "trace/kinds.h"
#include "trace/slice.h"

namespace fairlead::finding {
namespace {

using trace::Event;
using trace::EventGroup;
using trace::EventKind;
using trace::Tid;

// Of the thread at fault, so many of its last events say what it was doing.
constexpr size_t kLastEvents = 6;
// … and so many of its last accesses say which objects matter.
constexpr size_t kLastAccesses = 24;

bool TellsTheEnd(EventKind kind) {
  return trace::GroupOf(kind) == EventGroup::kFault ||
         kind == EventKind::kMisuse;
}

bool IsSync(const Event& event) {
  switch (event.kind) {
    case EventKind::kInit:
    case EventKind::kDestroy:
    case EventKind::kOnceBegin:  // libraries do it all the time
    case EventKind::kOnceDone:
    case EventKind::kMisuse:
      return false;
    default:
      return trace::GroupOf(event.kind) == EventGroup::kSync;
  }
}

// What libraries do with memory of their own says nothing to people.
bool IsOwnAccess(const Event& event) {
  return IsAccess(event) && !event.has(abi::kFlagLibrary);
}

// Chooses events by index, the most telling first, until there is no room.
class Chooser {
 public:
  Chooser(const std::vector<Event>& events, const SliceOrder& order)
      : events_(events), order_(order) {
    for (size_t i = 0; i < events.size(); ++i) {
      if (IsOwnAccess(events[i])) by_address_[events[i].address].push_back(i);
    }
  }

  std::set<size_t> Choose() {
    TakeEnd();
    TakeLastEvents();
    std::vector<uint64_t> near = LastObjects();
    for (const uint64_t address : near) TakeConflicts(address);
    TakeWaitedFor();
    TakeBlocks(near);
    for (const uint64_t address : LatestShared()) TakeConflicts(address);
    return chosen_;
  }

 private:
  bool Take(size_t index) {
    if (chosen_.contains(index)) return true;
    if (chosen_.size() >= order_.max_events) return false;
    chosen_.insert(index);
    return true;
  }

  void TakeEnd() {
    // A program may catch thousands of exceptions: the last few ends count.
    size_t room = 4;
    for (size_t i = events_.size(); i-- > 0 && room > 0;) {
      if (!TellsTheEnd(events_[i].kind)) continue;
      if (events_[i].kind == EventKind::kThrow) continue;
      Take(i);
      --room;
    }
  }

  void TakeLastEvents() {
    size_t room = kLastEvents;
    for (size_t i = events_.size(); i-- > 0 && room > 0;) {
      const Event& event = events_[i];
      if (event.tid != order_.at_fault) continue;
      if (!IsOwnAccess(event) && !IsSync(event)) continue;
      Take(i);
      --room;
    }
  }

  // Addresses of the last accesses of the thread at fault, the latest first.
  std::vector<uint64_t> LastObjects() const {
    std::vector<uint64_t> addresses;
    size_t room = kLastAccesses;
    for (size_t i = events_.size(); i-- > 0 && room > 0;) {
      const Event& event = events_[i];
      if (event.tid != order_.at_fault || !IsOwnAccess(event)) continue;
      --room;
      if (std::ranges::find(addresses, event.address) == addresses.end()) {
        addresses.push_back(event.address);
      }
    }
    return addresses;
  }

  // Addresses by when two threads last met there, the latest first.
  std::vector<uint64_t> LatestShared() const {
    std::vector<std::pair<size_t, uint64_t>> latest;
    for (const auto& [address, accesses] : by_address_) {
      for (size_t k = accesses.size(); k-- > 1;) {
        if (!Conflict(accesses[k - 1], accesses[k])) continue;
        latest.emplace_back(accesses[k], address);
        break;
      }
    }
    std::ranges::sort(latest, std::greater<>());
    std::vector<uint64_t> addresses;
    for (const auto& [index, address] : latest) addresses.push_back(address);
    return addresses;
  }

  bool Conflict(size_t a, size_t b) const {
    return events_[a].tid != events_[b].tid &&
           (Writes(events_[a]) || Writes(events_[b]));
  }

  // The latest conflicting neighbours first. Stops when there is no room.
  void TakeConflicts(uint64_t address) {
    const auto found = by_address_.find(address);
    if (found == by_address_.end()) return;
    const std::vector<size_t>& accesses = found->second;
    for (size_t k = accesses.size(); k-- > 1;) {
      if (!Conflict(accesses[k - 1], accesses[k])) continue;
      for (const size_t at : {k, k - 1}) {
        if (!Take(accesses[at])) return;
        TakeReadBefore(accesses, at);
      }
    }
  }

  // What the writer had read there before it wrote.
  void TakeReadBefore(const std::vector<size_t>& accesses, size_t at) {
    const Event& write = events_[accesses[at]];
    if (!Writes(write)) return;
    for (size_t k = at; k-- > 0;) {
      const Event& before = events_[accesses[k]];
      if (before.tid != write.tid) continue;
      if (!Writes(before)) Take(accesses[k]);
      return;
    }
  }

  void TakeWaitedFor() {
    for (size_t i = events_.size(); i-- > 0;) {
      const Event& event = events_[i];
      if (!IsSync(event) && trace::GroupOf(event.kind) != EventGroup::kWake) {
        continue;
      }
      if (order_.waited_for.contains(event.address) && !Take(i)) return;
    }
  }

  // Where blocks that hold these addresses were given back too early: their
  // freeing, and what was touched in them behind it.
  void TakeBlocks(const std::vector<uint64_t>& addresses) {
    for (size_t i = events_.size(); i-- > 0;) {
      const Event& event = events_[i];
      if (event.kind != EventKind::kFree) continue;
      for (const uint64_t at : addresses) {
        if (at < event.address || at - event.address >= event.value) continue;
        const std::vector<size_t>& accesses = by_address_[at];
        if (accesses.empty() || accesses.back() < i) continue;
        if (!Take(i) || !Take(accesses.back())) return;
      }
    }
  }

  const std::vector<Event>& events_;
  const SliceOrder& order_;
  std::map<uint64_t, std::vector<size_t>> by_address_;  // accesses, in order
  std::set<size_t> chosen_;
};

}  // namespace

trace::Trace SliceFor(const trace::Trace& whole, const SliceOrder& order) {
  trace::Trace slice;
  for (const size_t index : Chooser(whole.events, order).Choose()) {
    slice.events.push_back(whole.events[index]);
  }
  slice.names = trace::NamesFor(slice.events, whole.names);
  return slice;
}

}  // namespace fairlead::finding
