#include "finding/slice_for.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "finding/slice_index.h"
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
constexpr size_t kLastEvents = 4;
// … and so many of its last accesses say which objects matter.
constexpr size_t kLastAccesses = 24;
// On one object, so many of the last pairs say what was going on.
constexpr size_t kMeetings = 3;
// Of what wakes threads up, so many of the last.
constexpr size_t kLastWakes = 4;
constexpr size_t kTimeouts = 2;
// Where one thread came between the steps of another.
constexpr size_t kInterruptions = 3;
// With fewer rows than this, more is told than what surely matters.
constexpr size_t kFew = 8;
// Of calls on descriptors that somebody took from or waits for, so many of
// those before.
constexpr size_t kLastUses = 4;
// Rows that tell of locks.
constexpr size_t kLockRows = 6;
// Larger numbers are addresses, not descriptors (runtime/outside/waiting.h).
constexpr uint64_t kMaxDescriptor = 1 << 16;

bool TellsTheEnd(EventKind kind) {
  return trace::GroupOf(kind) == EventGroup::kFault &&
         kind != EventKind::kThrow;
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

bool Takes(const Event& event) {
  return event.kind == EventKind::kLock ||
         (event.kind == EventKind::kTryLock && event.has(abi::kFlagSuccess));
}

// What lets others go on.
bool Wakes(EventKind kind) {
  switch (kind) {
    case EventKind::kSignal:
    case EventKind::kBroadcast:
    case EventKind::kSemPost:
    case EventKind::kFutexWake:
    case EventKind::kBarrierWait:
    case EventKind::kWakeSignal:
    case EventKind::kWakePost:
    case EventKind::kWakeFutex:
      return true;
    default:
      return false;
  }
}

// Chooses events by index, the most telling first, until there is no room.
class Chooser {
 public:
  Chooser(const trace::Trace& whole, const SliceOrder& order)
      : events_(whole.events), order_(order), index_(whole) {}

  std::set<size_t> Choose() {
    TakeSteps();
    TakeLocks();
    return chosen_;
  }

 private:
  void TakeSteps() {
    TakeEnd();
    for (const uint64_t address : order_.touched) TakeFreed(address);
    TakeStuck();
    TakeTimeouts();
    TakeTransfers();
    if (order_.result_is_wrong && TakeInterruptions()) {
      TakeWhoSawThem();
      return;
    }
    if (order_.waited_for.empty()) TakeLastEvents();
    const std::vector<size_t> near = LastAccesses(By::kApplication);
    for (const size_t access : near) TakeMeetings(access, By::kApplication);
    TakeBlocks(near);
    for (const size_t access : LastAccesses(By::kLibrary)) {
      TakeMeetings(access, By::kLibrary);
    }
    if (chosen_.size() < kFew) TakeInterruptions();
    for (const By by : {By::kApplication, By::kLibrary}) {
      for (const uint64_t address : index_.LatestShared(by)) {
        if (chosen_.size() >= kFew) break;
        TakeMeetingsOf(index_.Touching(address, 1, by));
      }
    }
    if (order_.result_is_wrong && IsOfOneThread()) {
      for (const size_t turn : index_.LatestTurns()) Take(turn);
    }
  }

  bool IsOfOneThread() const {
    return std::ranges::all_of(chosen_, [&](size_t index) {
      return events_[index].tid == events_[*chosen_.begin()].tid;
    });
  }

  bool Take(size_t index) {
    if (chosen_.contains(index)) return true;
    const uint32_t call = index_.CallOf(index);
    if (call != 0 && chosen_calls_.contains(call)) return true;
    if (chosen_.size() >= order_.max_events) return false;
    chosen_.insert(index);
    if (call != 0) chosen_calls_.insert(call);
    return true;
  }

  // The last two ends, since an assertion or an exception comes before an
  // abort; and the misuse that the others follow from.
  void TakeEnd() {
    size_t room = 2;
    for (size_t i = events_.size(); i-- > 0 && room > 0;) {
      if (!TellsTheEnd(events_[i].kind)) continue;
      Take(i);
      --room;
    }
    const auto misuse =
        std::ranges::find(events_, EventKind::kMisuse, &Event::kind);
    if (misuse != events_.end()) {
      Take(static_cast<size_t>(misuse - events_.begin()));
    }
  }

  // The freeing of the block around `address` that comes before its first use
  // by another step, and that use.
  void TakeFreed(uint64_t address) {
    std::optional<size_t> freed;
    size_t end = events_.size();
    for (size_t i = 0; i < end; ++i) {
      const Event& event = events_[i];
      if (event.kind == EventKind::kMisuse && event.address == address) end = i;
      if (event.kind == EventKind::kFree && address >= event.address &&
          address - event.address < std::max<uint64_t>(event.value, 1)) {
        freed = i;
      }
    }
    if (!freed) return;
    Take(*freed);
    const Event& block = events_[*freed];
    std::optional<size_t> first;
    for (const By by : {By::kApplication, By::kLibrary}) {
      const auto uses = index_.Touching(block.address, block.value, by);
      const auto behind = std::ranges::upper_bound(uses, *freed);
      if (behind != uses.end())
        first = std::min(first.value_or(~size_t{0}), *behind);
    }
    if (first) Take(*first);
  }

  void TakeStuck() {
    for (const uint64_t object : order_.waited_for) {
      std::map<Tid, size_t> open;  // what a thread took, or began to wait for
      for (size_t i = 0; i < events_.size(); ++i) {
        const Event& event = events_[i];
        if (event.address != object) continue;
        if (Takes(event) || event.kind == EventKind::kWait) {
          open[event.tid] = i;
        } else if ((event.kind == EventKind::kUnlock && event.value == 0) ||
                   event.kind == EventKind::kWaitDone) {
          open.erase(event.tid);
        }
      }
      for (const auto& [tid, index] : open) Take(index);
    }
    size_t room = kLastWakes;
    for (size_t i = events_.size(); i-- > 0 && room > 0;) {
      const Event& event = events_[i];
      if (!Wakes(event.kind) || !order_.waited_for.contains(event.address)) {
        continue;
      }
      if (!Take(i)) return;
      --room;
    }
  }

  // Who gave to what the thread at fault took from last, and what it took;
  // where threads wait for descriptors, the last calls on these, and the last
  // that gave to any, as a set of descriptors does not tell which are in it.
  void TakeTransfers() {
    size_t room = kLastUses;
    std::set<uint32_t> channels;
    for (size_t i = events_.size(); i-- > 0 && room > 0;) {
      const Event& event = events_[i];
      if (event.tid != order_.at_fault || !event.has(abi::kFlagShared) ||
          event.kind != EventKind::kUse || index_.ChannelOf(i) == 0) {
        continue;
      }
      --room;
      if (!channels.insert(index_.ChannelOf(i)).second) continue;
      if (TakeUsesBefore(i, [&](size_t use) {
            return index_.ChannelOf(use) == index_.ChannelOf(i) &&
                   events_[use].tid != order_.at_fault;
          })) {
        Take(i);
      }
    }
    bool waits = false;
    for (const uint64_t object : order_.waited_for) {
      if (object == 0 || object > kMaxDescriptor) continue;
      waits = true;
      TakeUsesBefore(events_.size(), [&](size_t use) {
        return events_[use].value == object - 1;
      });
    }
    if (!waits) return;
    TakeUsesBefore(events_.size(), [&](size_t use) {
      return events_[use].has(abi::kFlagWrites);
    });
  }

  // Whether there were any.
  template <typename Wanted>
  bool TakeUsesBefore(size_t end, Wanted wanted) {
    size_t room = kLastUses;
    for (size_t i = end; i-- > 0 && room > 0;) {
      if (events_[i].kind != EventKind::kUse || index_.ChannelOf(i) == 0 ||
          !wanted(i)) {
        continue;
      }
      if (!Take(i)) break;
      --room;
    }
    return room != kLastUses;
  }

  // Of locks that several threads take: the taking and the giving around an
  // access that was chosen, of memory that several threads touch.
  void TakeLocks() {
    struct Section {
      size_t begin, end;
    };
    std::map<uint64_t, std::set<Tid>> touched, takers;
    for (const size_t index : chosen_) {
      if (trace::IsAccess(events_[index])) {
        touched[events_[index].address].insert(events_[index].tid);
      }
    }
    std::map<std::pair<Tid, uint64_t>, size_t> open;
    std::vector<Section> sections;
    for (size_t i = 0; i < events_.size(); ++i) {
      const Event& event = events_[i];
      if (Takes(event)) {
        takers[event.address].insert(event.tid);
        if (event.value <= 1) open[{event.tid, event.address}] = i;
      } else if (event.kind == EventKind::kUnlock && event.value == 0) {
        const auto taken = open.find({event.tid, event.address});
        if (taken == open.end()) continue;
        for (auto each = chosen_.upper_bound(taken->second);
             each != chosen_.end() && *each < i; ++each) {
          const Event& access = events_[*each];
          if (access.tid != event.tid || !trace::IsAccess(access) ||
              touched[access.address].size() < 2) {
            continue;
          }
          sections.push_back({taken->second, i});
          break;
        }
        open.erase(taken);
      }
    }
    std::erase_if(sections, [&](const Section& section) {
      return takers[events_[section.begin].address].size() < 2;
    });
    const size_t most = kLockRows / 2;
    const size_t first = sections.size() > most ? sections.size() - most : 0;
    for (size_t i = first; i < sections.size(); ++i) {
      if (chosen_.size() + 2 > order_.max_events) return;
      Take(sections[i].begin);
      Take(sections[i].end);
    }
  }

  void TakeTimeouts() {
    size_t room = kTimeouts;
    for (size_t i = events_.size(); i-- > 0 && room > 0;) {
      if (!events_[i].has(abi::kFlagTimedOut)) continue;
      Take(i);
      --room;
    }
  }

  void TakeLastEvents() {
    size_t room = kLastEvents;
    for (size_t i = events_.size(); i-- > 0 && room > 0;) {
      const Event& event = events_[i];
      if (event.tid != order_.at_fault) continue;
      const bool use =
          event.kind == EventKind::kUse && index_.ChannelOf(i) != 0;
      if (!index_.Is(i, By::kApplication) && !IsSync(event) && !use) continue;
      Take(i);
      --room;
    }
  }

  // One for each of the last objects of the thread at fault, the latest first.
  std::vector<size_t> LastAccesses(By by) const {
    std::vector<size_t> accesses;
    std::set<uint64_t> seen;
    size_t room = kLastAccesses;
    for (size_t i = events_.size(); i-- > 0 && room > 0;) {
      if (events_[i].tid != order_.at_fault || !index_.Is(i, by)) continue;
      --room;
      if (seen.insert(events_[i].address).second) accesses.push_back(i);
    }
    return accesses;
  }

  void TakeMeetings(size_t access, By by) {
    TakeMeetingsOf(
        index_.Touching(events_[access].address, events_[access].size, by));
  }

  // The latest that met first. Stops when there is no room.
  void TakeMeetingsOf(const std::vector<size_t>& accesses) {
    size_t room = kMeetings;
    for (size_t k = accesses.size(); k-- > 1 && room > 0;) {
      const std::optional<size_t> partner = index_.PartnerOf(accesses, k);
      if (!partner) continue;
      for (const size_t at : {k, *partner}) {
        if (!Take(accesses[at])) return;
        TakeReadBefore(accesses, at);
      }
      --room;
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

  // Lost updates, and where there are none, other interruptions. False: there
  // are none at all.
  bool TakeInterruptions() {
    size_t room = kInterruptions;
    for (const int rank : {0, 1}) {
      for (const By by : {By::kApplication, By::kLibrary}) {
        for (const SliceIndex::Between& each : index_.Interruptions(by)) {
          if (each.rank != rank) continue;
          if (room == 0) return true;
          --room;
          for (const size_t at : {each.first, each.other, each.second}) {
            if (!Take(at)) return true;
          }
          const Event& other = events_[each.other];
          const auto accesses = index_.Touching(other.address, other.size, by);
          const auto at = std::ranges::find(accesses, each.other);
          TakeReadBefore(accesses, static_cast<size_t>(at - accesses.begin()));
        }
      }
      if (room != kInterruptions) return true;
    }
    return false;
  }

  // What the thread at fault found where others were interrupted.
  void TakeWhoSawThem() {
    std::set<uint64_t> addresses;
    for (const size_t index : chosen_) {
      if (trace::IsAccess(events_[index])) {
        addresses.insert(events_[index].address);
      }
    }
    for (const By by : {By::kApplication, By::kLibrary}) {
      for (const size_t access : LastAccesses(by)) {
        if (!addresses.contains(events_[access].address)) continue;
        TakeMeetings(access, by);
      }
    }
  }

  // Where blocks that hold these were given back too early: their freeing, and
  // what was touched in them behind it.
  void TakeBlocks(const std::vector<size_t>& near) {
    for (size_t i = events_.size(); i-- > 0;) {
      const Event& event = events_[i];
      if (event.kind != EventKind::kFree) continue;
      for (const size_t access : near) {
        const uint64_t at = events_[access].address;
        if (access < i || at < event.address ||
            at - event.address >= event.value) {
          continue;
        }
        if (!Take(i) || !Take(access)) return;
      }
    }
  }

  const std::vector<Event>& events_;
  const SliceOrder& order_;
  SliceIndex index_;
  std::set<size_t> chosen_;
  std::set<uint32_t> chosen_calls_;
};

std::string_view FileName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

bool IsAt(const trace::Place& place, const trace::Place& wanted) {
  return place.line == wanted.line &&
         FileName(place.file) == FileName(wanted.file);
}

// Whether the event happened at that place, or in a call that was made there.
bool HappenedAt(const Event& event, const trace::Names& names,
                const trace::Place& wanted) {
  const trace::Place* own = names.PlaceOf(event);
  if (own != nullptr && IsAt(*own, wanted)) return true;
  for (auto node = names.nodes.find(event.node); node != names.nodes.end();
       node = names.nodes.find(node->second.parent)) {
    const auto site = names.sites.find(node->second.site);
    if (site != names.sites.end() && IsAt(site->second.place, wanted)) {
      return true;
    }
    if (node->second.parent >= node->first) return false;  // untrusted
  }
  return false;
}

// The trace up to where a test failed; null if that is not in it.
std::optional<trace::Trace> UpTo(const trace::Trace& whole,
                                 const trace::Place& failed_at) {
  if (failed_at.file.empty() || failed_at.line == 0) return {};
  for (size_t i = whole.events.size(); i-- > 0;) {
    if (!HappenedAt(whole.events[i], whole.names, failed_at)) continue;
    trace::Trace part;
    part.events.assign(whole.events.begin(),
                       whole.events.begin() + static_cast<ptrdiff_t>(i) + 1);
    part.names = whole.names;
    return part;
  }
  return {};
}

}  // namespace

trace::Trace SliceFor(const trace::Trace& whole, const SliceOrder& order) {
  if (const auto part = UpTo(whole, order.failed_at)) {
    SliceOrder inner = order;
    inner.failed_at = {};
    inner.at_fault = part->events.back().tid;
    return SliceFor(*part, inner);
  }
  trace::Trace slice;
  for (const size_t index : Chooser(whole, order).Choose()) {
    slice.events.push_back(whole.events[index]);
  }
  slice.names = trace::NamesFor(slice.events, whole.names);
  return slice;
}

}  // namespace fairlead::finding
