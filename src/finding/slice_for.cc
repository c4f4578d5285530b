#include "finding/slice_for.h"

#include <algorithm>
#include <map>
#include <optional>
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

bool IsOwnAccess(const Event& event) {
  return IsAccess(event) && !event.has(abi::kFlagLibrary);
}

// By whom an access was made.
enum class By { kApplication, kLibrary };

// Chooses events by index, the most telling first, until there is no room.
class Chooser {
 public:
  Chooser(const trace::Trace& whole, const SliceOrder& order)
      : events_(whole.events), order_(order), calls_(whole.events.size()) {
    uint32_t last_node = 0;
    for (size_t i = 0; i < events_.size(); ++i) {
      const Event& event = events_[i];
      if (IsOwnAccess(event)) {
        own_[event.address].push_back(i);
      } else if (IsAccess(event)) {
        // What libraries do of their own accord says nothing to people.
        const auto origin = whole.names.OriginOf(event);
        if (!origin) continue;
        library_[event.address].push_back(i);
        const bool same = num_calls_ != 0 && events_[i - 1].tid == event.tid &&
                          calls_[i - 1] != 0 && last_node == origin->node;
        calls_[i] = same ? num_calls_ : ++num_calls_;
        last_node = origin->node;
      }
    }
  }

  std::set<size_t> Choose() {
    TakeEnd();
    TakeLastEvents();
    const std::vector<uint64_t> near = LastObjects(By::kApplication);
    for (const uint64_t address : near) TakeConflicts(own_, address);
    TakeWaitedFor();
    TakeBlocks(near);
    for (const uint64_t address : LastObjects(By::kLibrary)) {
      TakeConflicts(library_, address);
    }
    for (const Accesses* accesses : {&own_, &library_}) {
      for (const uint64_t address : LatestShared(*accesses)) {
        TakeConflicts(*accesses, address);
      }
    }
    return chosen_;
  }

 private:
  using Accesses = std::map<uint64_t, std::vector<size_t>>;  // in order

  bool Take(size_t index) {
    if (chosen_.contains(index)) return true;
    const uint32_t call = calls_[index];
    if (call != 0 && chosen_calls_.contains(call)) return true;
    if (chosen_.size() >= order_.max_events) return false;
    chosen_.insert(index);
    if (call != 0) chosen_calls_.insert(call);
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
  std::vector<uint64_t> LastObjects(By by) const {
    std::vector<uint64_t> addresses;
    size_t room = kLastAccesses;
    for (size_t i = events_.size(); i-- > 0 && room > 0;) {
      const Event& event = events_[i];
      if (event.tid != order_.at_fault) continue;
      if (by == By::kApplication ? !IsOwnAccess(event) : calls_[i] == 0) {
        continue;
      }
      --room;
      if (std::ranges::find(addresses, event.address) == addresses.end()) {
        addresses.push_back(event.address);
      }
    }
    return addresses;
  }

  // Addresses by when two threads last met there, the latest first.
  std::vector<uint64_t> LatestShared(const Accesses& by_address) const {
    std::vector<std::pair<size_t, uint64_t>> latest;
    for (const auto& [address, accesses] : by_address) {
      for (size_t k = accesses.size(); k-- > 1;) {
        if (!PartnerOf(accesses, k)) continue;
        latest.emplace_back(accesses[k], address);
        break;
      }
    }
    std::ranges::sort(latest, std::greater<>());
    std::vector<uint64_t> addresses;
    for (const auto& [index, address] : latest) addresses.push_back(address);
    return addresses;
  }

  // Which access of another thread the k-th one met: the write whose value it
  // is the first of its thread to see, or what it overwrites.
  std::optional<size_t> PartnerOf(const std::vector<size_t>& accesses,
                                  size_t k) const {
    const Event& event = events_[accesses[k]];
    for (size_t j = k; j-- > 0;) {
      const Event& before = events_[accesses[j]];
      if (before.tid == event.tid) {
        if (Writes(before) || !Writes(event)) return {};
      } else if (Writes(before) || Writes(event)) {
        return j;
      }
    }
    return {};
  }

  // The latest that met first. Stops when there is no room.
  void TakeConflicts(const Accesses& by_address, uint64_t address) {
    const auto found = by_address.find(address);
    if (found == by_address.end()) return;
    const std::vector<size_t>& accesses = found->second;
    for (size_t k = accesses.size(); k-- > 1;) {
      const std::optional<size_t> partner = PartnerOf(accesses, k);
      if (!partner) continue;
      for (const size_t at : {k, *partner}) {
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
        const std::vector<size_t>& accesses = own_[at];
        if (accesses.empty() || accesses.back() < i) continue;
        if (!Take(i) || !Take(accesses.back())) return;
      }
    }
  }

  const std::vector<Event>& events_;
  const SliceOrder& order_;
  Accesses own_;
  Accesses library_;
  // By event: the number of the call into a library that it is part of, 0 =
  // none.
  std::vector<uint32_t> calls_;
  uint32_t num_calls_ = 0;
  std::set<size_t> chosen_;
  std::set<uint32_t> chosen_calls_;
};

}  // namespace

trace::Trace SliceFor(const trace::Trace& whole, const SliceOrder& order) {
  trace::Trace slice;
  for (const size_t index : Chooser(whole, order).Choose()) {
    slice.events.push_back(whole.events[index]);
  }
  slice.names = trace::NamesFor(slice.events, whole.names);
  return slice;
}

}  // namespace fairlead::finding
