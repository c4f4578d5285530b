#include "finding/slice_for.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <vector>

#include "finding/slice_chosen.h"
#include "finding/slice_failed.h"
#include "finding/slice_index.h"
#include "finding/slice_met.h"
#include "finding/slice_sync.h"
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
// … and of those that it shares, so many.
constexpr size_t kLastLooks = 6;
// Where one thread came between the steps of another.
constexpr size_t kInterruptions = 3;
// With fewer rows than this, more is told than what surely matters.
constexpr size_t kFew = 8;

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

// Chooses events by index, the most telling first, until there is no room.
class Chooser {
 public:
  Chooser(const trace::Trace& whole, const SliceOrder& order)
      : whole_(whole),
        events_(whole.events),
        order_(order),
        chosen_(whole, order.max_events),
        index_(chosen_.index()) {
    for (const By by : {By::kApplication, By::kLibrary}) {
      const std::vector<uint64_t> met = index_.LatestShared(by);
      met_[by].insert(met.begin(), met.end());
    }
    NoteOwners();
  }

  std::set<size_t> Choose() {
    TakeEnd();
    for (const uint64_t address : order_.touched) TakeFreed(address);
    TakeStuck(order_.waited_for, chosen_);
    TakeTimeouts(chosen_);
    TakeTransfers(order_.at_fault, order_.waited_for, chosen_);
    if (!TakeStory()) {
      TakeWhatIsNear();
      TakeLocks(chosen_);
    }
    CompleteLooks(chosen_);
    TakeSignals(chosen_);
    return chosen_.all();
  }

 private:
  // An access of the thread at fault.
  struct Look {
    size_t access;
    By by;
  };

  // What makes sense of the failure by itself; false if there is no such thing.
  bool TakeStory() {
    if (!order_.waited_for.empty()) {
      return order_.result_is_wrong && TakeInterruptions();
    }
    const std::vector<Look> looks = LastLooks();
    if (!looks.empty()) told_ = looks[0];
    if (!TakeInterference(looks)) return false;
    TakeLocks(chosen_);
    // What the thread at fault found in the end.
    if (told_) TakeMeetingOf(told_->access, told_->by, chosen_);
    return true;
  }

  bool TakeInterference(const std::vector<Look>& looks) {
    if (TakeInterruptionsOf(looks, {Rank::kLostUpdate})) return true;
    if (const auto aba = LatestAba(whole_, index_)) {
      TakeAba(*aba, chosen_);
      return true;
    }
    const bool wrong = order_.result_is_wrong;
    if (wrong && TakeInterruptions(Rank::kLostUpdate)) return true;
    if (TakeInterruptionsOf(looks, {Rank::kInterrupted, Rank::kOvertaken})) {
      return true;
    }
    return wrong && TakeInterruptions(Rank::kInterrupted);
  }

  void TakeWhatIsNear() {
    if (order_.waited_for.empty()) TakeLastEvents();
    const std::vector<size_t> near = LastAccesses(By::kApplication);
    for (const size_t access : near) TakeMeetingsAt(access, By::kApplication);
    TakeBlocks(near);
    for (const size_t access : LastAccesses(By::kLibrary)) {
      TakeMeetingsAt(access, By::kLibrary);
    }
    if (chosen_.size() < kFew) TakeInterruptions();
    for (const By by : {By::kApplication, By::kLibrary}) {
      for (const uint64_t address : index_.LatestShared(by)) {
        if (chosen_.size() >= kFew) break;
        TakeMeetings(index_.Touching(address, 1, by), chosen_);
      }
    }
    if (order_.result_is_wrong && IsOfOneThread()) {
      for (const size_t turn : index_.LatestTurns()) Take(turn);
    }
  }

  bool IsOfOneThread() const {
    return std::ranges::all_of(chosen_.all(), [&](size_t index) {
      return events_[index].tid == events_[*chosen_.all().begin()].tid;
    });
  }

  bool Take(size_t index) { return chosen_.Take(index); }

  void NoteOwners() {
    for (const Event& event : events_) {
      if (event.kind == EventKind::kStack) stacks_[event.address] = event.value;
      if (Takes(event)) takers_[event.address].insert(event.tid);
    }
  }

  // Of a stack, and nobody meets there: a temporary, say.
  bool IsPrivate(const Event& event) const {
    const auto after = stacks_.upper_bound(event.address);
    if (after == stacks_.begin()) return false;
    const auto& [base, size] = *std::prev(after);
    return event.address - base < size &&
           !met_.at(By::kApplication).contains(event.address);
  }

  // One that only one thread ever takes: a test framework's, say.
  bool IsPrivateLock(const Event& event) const {
    const auto takers = takers_.find(event.address);
    return takers != takers_.end() && takers->second.size() < 2;
  }

  // The last two ends, since an assertion or an exception comes before an
  // abort; and the misuse that the others follow from.
  void TakeEnd() {
    size_t room = 2;
    for (size_t i = events_.size(); i-- > 0 && room > 0;) {
      if (!TellsTheEnd(events_[i])) continue;
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
    if (!first) return;
    Take(*first);
    TakePointerTo(block, *freed, events_[*first].tid);
  }

  // Where a thread that uses a block later had got its address before the block
  // was freed: the last it read anywhere else.
  void TakePointerTo(const Event& block, size_t freed, Tid tid) {
    const auto is_inside = [&](uint64_t address) {
      return address - block.address < std::max<uint64_t>(block.value, 1);
    };
    for (size_t i = freed; i-- > 0;) {
      const Event& event = events_[i];
      if (event.tid != tid || !trace::IsAccess(event) || trace::Writes(event) ||
          !is_inside(event.value) || is_inside(event.address) ||
          IsPrivate(event)) {
        continue;
      }
      if (!index_.Is(i, By::kApplication) && !index_.Is(i, By::kLibrary)) {
        continue;
      }
      Take(i);
      return;
    }
  }

  void TakeLastEvents() {
    size_t room = kLastEvents;
    for (size_t i = events_.size(); i-- > 0 && room > 0;) {
      const Event& event = events_[i];
      if (event.tid != order_.at_fault) continue;
      const bool use =
          event.kind == EventKind::kUse && index_.ChannelOf(i) != 0;
      const bool access = index_.Is(i, By::kApplication) && !IsPrivate(event);
      if (!access && !use && (!IsSync(event) || IsPrivateLock(event))) continue;
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

  // The same of objects that several actors met in, whoever accessed them. Of a
  // failure at a place the last few; where only the result is wrong, more.
  std::vector<Look> LastLooks() const {
    std::vector<Look> looks;
    std::set<uint64_t> seen;
    size_t room = order_.result_is_wrong ? kLastAccesses : kLastLooks;
    for (size_t i = events_.size(); i-- > 0 && room > 0;) {
      const Event& event = events_[i];
      if (event.tid != order_.at_fault || !trace::IsAccess(event)) continue;
      for (const By by : {By::kApplication, By::kLibrary}) {
        if (!index_.Is(i, by) || !met_.at(by).contains(event.address)) continue;
        if (!seen.insert(event.address).second) continue;
        looks.push_back({i, by});
        --room;
        break;
      }
    }
    return looks;
  }

  void TakeMeetingsAt(size_t access, By by) {
    TakeMeetings(
        index_.Touching(events_[access].address, events_[access].size, by),
        chosen_);
  }

  // Of the first object that has any.
  bool TakeInterruptionsOf(const std::vector<Look>& looks,
                           std::initializer_list<Rank> ranks) {
    for (const Look& look : looks) {
      const Event& event = events_[look.access];
      std::vector<SliceIndex::Between> found = index_.InterruptionsAmong(
          index_.Touching(event.address, event.size, look.by));
      std::erase_if(found, [&](const SliceIndex::Between& each) {
        return std::ranges::find(ranks, each.rank) == ranks.end();
      });
      if (found.empty()) continue;
      size_t room = kInterruptions;
      TakeDistinct(found, look.by, room);
      told_ = look;
      return true;
    }
    return false;
  }

  // Those of one rank on any object. False: there are none.
  bool TakeInterruptions(Rank rank) {
    size_t room = kInterruptions;
    for (const By by : {By::kApplication, By::kLibrary}) {
      std::vector<SliceIndex::Between> found = index_.Interruptions(by);
      std::erase_if(found, [&](const auto& each) { return each.rank != rank; });
      TakeDistinct(found, by, room);
    }
    if (room == kInterruptions) return false;
    TakeWhoSawThem();
    return true;
  }

  bool TakeInterruptions() {
    return TakeInterruptions(Rank::kLostUpdate) ||
           TakeInterruptions(Rank::kInterrupted);
  }

  // At most `room`; of those that the same lines of code make, the first.
  void TakeDistinct(const std::vector<SliceIndex::Between>& found, By by,
                    size_t& room) {
    std::set<std::array<uint32_t, 3>> told;
    for (const SliceIndex::Between& each : found) {
      if (room == 0) return;
      if (!told.insert({events_[each.first].site, events_[each.other].site,
                        events_[each.second].site})
               .second) {
        continue;
      }
      --room;
      if (!TakeBetween(each, by, chosen_)) return;
    }
  }

  // What the thread at fault found where others were interrupted.
  void TakeWhoSawThem() {
    std::set<uint64_t> addresses;
    for (const size_t index : chosen_.all()) {
      if (trace::IsAccess(events_[index])) {
        addresses.insert(events_[index].address);
      }
    }
    for (const By by : {By::kApplication, By::kLibrary}) {
      for (const size_t access : LastAccesses(by)) {
        if (!addresses.contains(events_[access].address)) continue;
        TakeMeetingsAt(access, by);
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

  const trace::Trace& whole_;
  const std::vector<Event>& events_;
  const SliceOrder& order_;
  Chosen chosen_;
  const SliceIndex& index_;
  std::optional<Look> told_;                  // of what was interfered with
  std::map<By, std::set<uint64_t>> met_;      // addresses that actors met in
  std::map<uint64_t, uint64_t> stacks_;       // sizes, by first byte
  std::map<uint64_t, std::set<Tid>> takers_;  // of locks
};

trace::Trace Sliced(const trace::Trace& whole, const SliceOrder& order) {
  trace::Trace slice;
  for (const size_t index : Chooser(whole, order).Choose()) {
    slice.events.push_back(whole.events[index]);
  }
  slice.names = trace::NamesFor(slice.events, whole.names);
  return slice;
}

}  // namespace

trace::Trace SliceFor(const trace::Trace& whole, const SliceOrder& order) {
  if (const auto part = UpToFailure(whole, order.failed_at)) {
    SliceOrder inner = order;
    inner.failed_at = {};
    inner.at_fault = part->events.back().tid;
    return SliceFor(*part, inner);
  }
  if (const auto part = UpToMisuse(whole, order.touched)) {
    return Sliced(*part, order);
  }
  return Sliced(whole, order);
}

}  // namespace fairlead::finding
