#include "finding/slice_for.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <vector>

#include "finding/slice_causes.h"
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
        index_(chosen_.index()),
        causes_(whole, index_, [this](size_t index) { return IsMet(index); }) {
    for (const By by : {By::kApplication, By::kLibrary}) {
      const std::vector<uint64_t> met = index_.LatestShared(by);
      met_[by].insert(met.begin(), met.end());
    }
    NoteOwners();
  }

  void Choose() {
    TakeEnd();
    for (const uint64_t address : order_.touched) {
      TakeFreed(address);
      TakeDestroyed(address);
    }
    TakeStuck(order_.waited_for, chosen_);
    TakeMissed();
    TakeForced();
    TakeTimeouts(chosen_);
    TakeTransfers(order_.at_fault, order_.waited_for, chosen_);
    if (!TakeStory()) {
      TakeWhatIsNear();
      TakeLocks(chosen_);
    }
    CompleteLooks(chosen_);
    TakeSignals(chosen_);
  }

  const std::set<size_t>& chosen() const { return chosen_.all(); }
  const Story& story() const { return story_; }

  // The story, and of what else was chosen the most telling.
  std::set<size_t> Deciding() const {
    std::set<size_t> deciding;
    for (const auto& role :
         {story_.first, story_.other, story_.second, story_.aside}) {
      if (role) deciding.insert(*role);
    }
    for (const size_t index : chosen_.by_weight()) {
      if (deciding.size() >= order_.max_deciding) break;
      if (!IsToldOtherwise(events_[index])) deciding.insert(index);
    }
    return deciding;
  }

 private:
  // An access of the thread at fault.
  struct Look {
    size_t access;
    By by;
  };

  // Which locks are held is said beside each access.
  bool IsToldOtherwise(const Event& event) const {
    return order_.waited_for.empty() &&
           (event.kind == EventKind::kUnlock || Takes(event));
  }

  // What makes sense of the failure by itself; false if there is no such thing.
  bool TakeStory() {
    if (!order_.waited_for.empty()) {
      return order_.result_is_wrong && TakeInterruptions();
    }
    TakeNeverWritten();
    const std::vector<Look> looks = LastLooks();
    if (!looks.empty()) told_ = looks[0];
    if (!TakeInterference(looks)) return false;
    TakeDecisions();
    TakePath();
    TakeLocks(chosen_);
    // What the thread at fault found in the end.
    if (told_) TakeMeetingOf(told_->access, told_->by, chosen_);
    return true;
  }

  bool TakeInterference(const std::vector<Look>& looks) {
    if (TakeInterruptionsOf(looks, {Rank::kLostUpdate})) return true;
    if (const auto aba = LatestAba(whole_, index_)) {
      TakeAba(*aba, chosen_);
      Tell({.plot = Plot::kAba,
            .first = aba->look,
            .other = aba->meanwhile.back(),
            .second = aba->exchange,
            .aside = aba->stale,
            .sure = true});
      return true;
    }
    const std::vector<size_t> reads = IndicesOf(looks);
    if (TakeCause(causes_.Split(reads))) return true;
    if (TakeCause(causes_.TooEarly(reads))) return true;
    // What it only writes is nothing that it saw.
    std::vector<Look> seen = looks;
    std::erase_if(seen, [&](const Look& look) {
      return trace::Writes(events_[look.access]);
    });
    if (TakeInterruptionsOf(seen, {Rank::kInterrupted, Rank::kOvertaken})) {
      return true;
    }
    if (TakeCause(causes_.Overtaken(reads))) return true;
    const bool wrong = order_.result_is_wrong;
    return wrong && (TakeInterruptions(Rank::kLostUpdate) ||
                     TakeInterruptions(Rank::kInterrupted));
  }

  static std::vector<size_t> IndicesOf(const std::vector<Look>& looks) {
    std::vector<size_t> indices;
    for (const By by : {By::kApplication, By::kLibrary}) {
      for (const Look& look : looks) {
        if (look.by == by) indices.push_back(look.access);
      }
    }
    return indices;
  }

  // The first that is found is the one that is told.
  void Tell(const Story& story) {
    if (story_.plot != Plot::kNone) return;
    story_ = story;
    // Also where another part of its call is taken.
    for (const auto& role :
         {story.first, story.other, story.second, story.aside}) {
      if (role) chosen_.Force(*role);
    }
  }

  bool TakeCause(const std::optional<Story>& story) {
    if (!story) return false;
    if (!TakeRoles(*story)) return false;
    Tell(*story);
    for (const auto& role : {story->first, story->other}) {
      const By by =
          index_.Is(*role, By::kApplication) ? By::kApplication : By::kLibrary;
      if (role) TakeMeetingOf(*role, by, chosen_);
    }
    return true;
  }

  bool TakeRoles(const Story& story) {
    for (const auto& role :
         {story.first, story.other, story.second, story.aside}) {
      if (role && !Take(*role)) return false;
    }
    return true;
  }

  // What was forced says where a value comes from that nobody has written yet.
  void TakeNeverWritten() {
    for (size_t i = events_.size(); i-- > 0;) {
      const Event& event = events_[i];
      const trace::SiteName* site = SiteOf(event);
      if (event.tid != order_.at_fault || !trace::IsAccess(event) ||
          trace::Writes(event) || site == nullptr ||
          !order_.forced.contains(site->anchor)) {
        continue;
      }
      if (IsWritten(i)) return;
      for (const auto& [anchor, step] : order_.forced) {
        if (!step.writes || anchor == site->anchor) continue;
        Take(i);
        Tell({.plot = Plot::kTooEarly,
              .first = i,
              .other = {},
              .second = {},
              .aside = {},
              .missing = step.place,
              .sure = true});
        return;
      }
    }
  }

  // Also by its own thread: what that has put there itself is not awaited.
  bool IsWritten(size_t access) const {
    const Event& event = events_[access];
    const By by =
        index_.Is(access, By::kApplication) ? By::kApplication : By::kLibrary;
    const auto all = index_.Touching(event.address, event.size, by);
    return std::ranges::any_of(
        all, [&](size_t i) { return trace::Writes(events_[i]); });
  }

  // What led both threads there, and what they saw, as long as there is room.
  void TakePath() {
    for (const auto& role : {story_.first, story_.other, story_.second}) {
      if (!role || !trace::IsAccess(events_[*role])) continue;
      for (const Causes::Seen& seen : causes_.SeenBefore(*role)) {
        if (chosen_.size() + 2 > order_.max_deciding) return;
        Take(seen.read);
        Take(seen.write);
      }
    }
  }

  // How both came to be there at the same time.
  void TakeDecisions() {
    if (!story_.sure || story_.plot == Plot::kOvertaken) return;
    for (const auto& role : {story_.first, story_.other, story_.second}) {
      if (!role || !trace::IsAccess(events_[*role])) continue;
      const std::optional<Story> story = causes_.DecidedBefore(*role);
      if (!story) continue;
      TakeRoles(*story);
      return;
    }
  }

  static Plot PlotOf(Rank rank) {
    switch (rank) {
      case Rank::kLostUpdate:
        return Plot::kLostUpdate;
      case Rank::kInterrupted:
        return Plot::kInterrupted;
      case Rank::kOvertaken:
        return Plot::kOvertaken;
    }
    return Plot::kNone;
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

  bool IsMet(size_t index) const {
    for (const By by : {By::kApplication, By::kLibrary}) {
      if (index_.Is(index, by) &&
          met_.at(by).contains(events_[index].address)) {
        return true;
      }
    }
    return false;
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
    const auto pointer = PointerTo(block, *freed, events_[*first].tid);
    if (pointer) Take(*pointer);
    Tell({.plot = Plot::kFreed,
          .first = pointer,
          .other = *freed,
          .second = *first,
          .aside = {},
          .sure = true});
  }

  // The same of a primitive that was destroyed.
  void TakeDestroyed(uint64_t address) {
    const auto misuse = std::ranges::find_if(events_, [&](const Event& event) {
      return event.kind == EventKind::kMisuse && event.address == address;
    });
    if (misuse == events_.end()) return;
    for (auto i = static_cast<size_t>(misuse - events_.begin()); i-- > 0;) {
      const Event& event = events_[i];
      if (event.kind != EventKind::kDestroy || event.address != address) {
        continue;
      }
      Take(i);
      Tell({.plot = Plot::kFreed,
            .first = {},
            .other = i,
            .second = static_cast<size_t>(misuse - events_.begin()),
            .aside = {},
            .sure = true});
      return;
    }
  }

  // Where a thread that uses a block later had got its address before the block
  // was freed: the last it read anywhere else.
  std::optional<size_t> PointerTo(const Event& block, size_t freed,
                                  Tid tid) const {
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
      return i;
    }
    return {};
  }

  // What threads had tested before they began to wait in vain.
  void TakeMissed() {
    if (order_.waited_for.empty()) return;
    std::map<Tid, size_t> waits;
    for (size_t i = 0; i < events_.size(); ++i) {
      if (events_[i].kind == EventKind::kWait) waits[events_[i].tid] = i;
      if (events_[i].kind == EventKind::kWaitDone) waits.erase(events_[i].tid);
    }
    for (const auto& [tid, wait] : waits) {
      if (!order_.waited_for.contains(events_[wait].address)) continue;
      const std::optional<Story> story = causes_.Missed(wait);
      if (!story) continue;
      for (const auto& role :
           {story->first, story->other, story->aside, story->second}) {
        if (role) Take(*role);
      }
      Tell(*story);
    }
  }

  const trace::SiteName* SiteOf(const Event& event) const {
    if (!event.instrumented()) return nullptr;
    const auto site = whole_.names.sites.find(event.site);
    return site == whole_.names.sites.end() ? nullptr : &site->second;
  }

  // Of what was forced, the steps as they came last.
  void TakeForced() {
    if (order_.forced.empty()) return;
    std::set<uint64_t> told;
    for (size_t i = events_.size(); i-- > 0;) {
      const trace::SiteName* site = SiteOf(events_[i]);
      if (site == nullptr || !order_.forced.contains(site->anchor)) continue;
      if (events_[i].kind == EventKind::kEnd) continue;
      if (told.insert(site->anchor).second) Take(i);
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
      TakeDistinct(found, look.by, room, true);
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
      TakeDistinct(found, by, room, false);
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
                    size_t& room, bool sure) {
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
      Tell({.plot = PlotOf(each.rank),
            .first = each.first,
            .other = each.other,
            .second = each.second,
            .aside = {},
            .likely = each.rank == Rank::kLostUpdate || IsForced(each.other),
            .sure = sure});
    }
  }

  bool IsForced(size_t index) const {
    const trace::SiteName* site = SiteOf(events_[index]);
    return site != nullptr && order_.forced.contains(site->anchor);
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
  Causes causes_;
  Story story_;
  std::optional<Look> told_;                  // of what was interfered with
  std::map<By, std::set<uint64_t>> met_;      // addresses that actors met in
  std::map<uint64_t, uint64_t> stacks_;       // sizes, by first byte
  std::map<uint64_t, std::set<Tid>> takers_;  // of locks
};

// A position in the whole trace as one in the slice of it.
std::optional<size_t> PositionIn(const std::set<size_t>& chosen,
                                 const std::optional<size_t>& index) {
  if (!index) return {};
  const auto found = chosen.find(*index);
  if (found == chosen.end()) return {};
  return static_cast<size_t>(std::distance(chosen.begin(), found));
}

Sliced SlicedBy(const trace::Trace& whole, const SliceOrder& order) {
  Chooser chooser(whole, order);
  chooser.Choose();
  const std::set<size_t>& chosen = chooser.chosen();
  Sliced sliced;
  const std::set<size_t> deciding = chooser.Deciding();
  const std::map<size_t, Held> held = HeldAt(whole.events, chosen);
  for (const size_t index : chosen) {
    const size_t position = sliced.trace.events.size();
    sliced.trace.events.push_back(whole.events[index]);
    if (deciding.contains(index)) sliced.deciding.insert(position);
    const auto locks = held.find(index);
    if (locks != held.end() && !locks->second.empty()) {
      sliced.held[position] = locks->second;
    }
  }
  sliced.story = chooser.story();
  for (auto* role : {&sliced.story.first, &sliced.story.other,
                     &sliced.story.second, &sliced.story.aside}) {
    *role = PositionIn(chosen, *role);
  }
  trace::Names& names = sliced.trace.names;
  names = trace::NamesFor(sliced.trace.events, whole.names);
  for (const auto& [position, locks] : sliced.held) {
    for (const auto& [lock, taken] : locks) {
      const auto named = whole.names.objects.find(lock);
      if (named != whole.names.objects.end()) names.objects.insert(*named);
    }
  }
  return sliced;
}

}  // namespace

Sliced SliceWithStory(const trace::Trace& whole, const SliceOrder& order) {
  if (const auto part = UpToFailure(whole, order.failed_at)) {
    SliceOrder inner = order;
    inner.failed_at = {};
    inner.at_fault = part->events.back().tid;
    return SliceWithStory(*part, inner);
  }
  if (const auto part = UpToMisuse(whole, order.touched)) {
    return SlicedBy(*part, order);
  }
  return SlicedBy(whole, order);
}

trace::Trace SliceFor(const trace::Trace& whole, const SliceOrder& order) {
  return SliceWithStory(whole, order).trace;
}

}  // namespace fairlead::finding
