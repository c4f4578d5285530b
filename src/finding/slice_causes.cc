#include "finding/slice_causes.h"

#include <algorithm>
#include <deque>
#include <set>

#include "trace/access.h"

namespace fairlead::finding {
namespace {

using trace::Event;

// Steps that are followed back: more have little to do with the failure.
constexpr size_t kMaxFollowed = 200;
// Of the reads ahead of a write, so many may have decided it …
constexpr size_t kDeciding = 6;
// … among so many events of all threads.
constexpr size_t kReach = 2'000;
// Reads that are compared with each other, the nearest to the failure.
constexpr size_t kCompared = 16;
// Of what the thread at fault saw last, so many may have come too early, or
// half of what belongs together.
constexpr size_t kLastLooks = 4;

constexpr uint32_t kFeeds = abi::kSiteFeedsAddress | abi::kSiteFeedsIndex |
                            abi::kSiteFeedsBranch | abi::kSiteFeedsCall;

}  // namespace

std::vector<size_t> Causes::AccessesAround(size_t access) const {
  const Event& event = events_[access];
  const By by =
      index_.Is(access, By::kApplication) ? By::kApplication : By::kLibrary;
  return index_.Touching(event.address, event.size, by);
}

bool Causes::Decides(size_t access) const {
  const Event& event = events_[access];
  if (!event.instrumented()) return false;
  const auto site = whole_.names.sites.find(event.site);
  return site != whole_.names.sites.end() && (site->second.flags & kFeeds) != 0;
}

// Another actor's write between the two, after which the first did not look
// again.
std::optional<size_t> Causes::ChangedBetween(
    const Look& look, const std::vector<size_t>& all) const {
  std::optional<size_t> changed;
  for (auto each = std::ranges::upper_bound(all, look.read);
       each != all.end() && *each < look.act; ++each) {
    if (index_.ActorOf(*each) == index_.ActorOf(look.read)) return {};
    if (!changed && trace::Writes(events_[*each]) &&
        !index_.IsPrepared(look.read, *each)) {
      changed = *each;
    }
  }
  return changed;
}

std::vector<size_t> Causes::ReadsBefore(size_t write) const {
  std::vector<size_t> reads;
  std::set<uint64_t> seen;
  const size_t end = write > kReach ? write - kReach : 0;
  for (size_t i = write; i-- > end && reads.size() < kDeciding;) {
    const Event& event = events_[i];
    if (index_.ActorOf(i) != index_.ActorOf(write) || !trace::IsAccess(event) ||
        trace::Writes(event)) {
      continue;
    }
    // What is written is often what was read.
    const bool copied = event.value == events_[write].value &&
                        event.value != 0 && event.size == events_[write].size;
    const bool same = event.address == events_[write].address;
    if ((!same && !copied && !Decides(i)) || !is_met_(i)) continue;
    if (seen.insert(event.address).second) reads.push_back(i);
  }
  return reads;
}

// The write that it saw.
std::optional<size_t> Causes::SeenAt(size_t read) const {
  const std::vector<size_t> all = AccessesAround(read);
  for (auto each = std::ranges::lower_bound(all, read); each != all.begin();) {
    if (trace::Writes(events_[*--each])) return *each;
  }
  return {};
}

void Causes::Follow(const std::vector<size_t>& looks,
                    const std::function<bool(const Look&)>& stop) const {
  std::deque<Look> open;
  std::set<size_t> known;
  for (const size_t look : looks) open.push_back({look, events_.size()});
  for (size_t room = kMaxFollowed; !open.empty() && room > 0; --room) {
    const Look look = open.front();
    open.pop_front();
    if (stop(look)) return;
    const std::optional<size_t> saw = SeenAt(look.read);
    if (!saw || !known.insert(*saw).second) continue;
    for (const size_t read : ReadsBefore(*saw)) open.push_back({read, *saw});
  }
}

std::optional<Story> Causes::OvertakenAt(const Look& look) const {
  if (look.act == events_.size()) return {};
  const auto other = ChangedBetween(look, AccessesAround(look.read));
  if (!other) return {};
  return Story{.plot = Plot::kOvertaken,
               .first = look.read,
               .other = *other,
               .second = look.act,
               .aside = {},
               .sure = true};
}

std::optional<Story> Causes::Overtaken(const std::vector<size_t>& looks) const {
  std::optional<Story> story;
  Follow(looks, [&](const Look& look) {
    story = OvertakenAt(look);
    return story.has_value();
  });
  return story;
}

std::optional<Story> Causes::DecidedBefore(size_t act) const {
  for (const size_t read : ReadsBefore(act)) {
    if (auto story = OvertakenAt({read, act})) return story;
  }
  return {};
}

std::vector<Causes::Seen> Causes::SeenBefore(size_t act) const {
  std::vector<Seen> all;
  for (const size_t read : ReadsBefore(act)) {
    const std::optional<size_t> saw = SeenAt(read);
    if (saw && index_.ActorOf(*saw) != index_.ActorOf(read)) {
      all.push_back({.read = read, .write = *saw});
    }
  }
  return all;
}

// A write of `actor` to what is accessed at `around`, strictly between.
std::optional<size_t> Causes::WriteBetween(size_t around, size_t begin,
                                           size_t end, Actor actor) const {
  for (const size_t each : AccessesAround(around)) {
    if (each > begin && each < end && index_.ActorOf(each) == actor &&
        trace::Writes(events_[each])) {
      return each;
    }
  }
  return {};
}

std::optional<Story> Causes::SplitAt(size_t before, size_t after) const {
  const std::optional<size_t> saw = SeenAt(after);
  if (!saw || *saw < before || index_.ActorOf(*saw) == index_.ActorOf(before)) {
    return {};
  }
  const auto other = WriteBetween(before, before, after, index_.ActorOf(*saw));
  if (!other || index_.IsPrepared(before, *other)) return {};
  return Story{.plot = Plot::kSplit,
               .first = before,
               .other = *other,
               .second = after,
               .aside = *saw,
               .sure = true};
}

std::optional<Story> Causes::HalfAt(size_t saw, size_t missed) const {
  const std::optional<size_t> write = SeenAt(saw);
  if (!write || index_.ActorOf(*write) == index_.ActorOf(saw)) return {};
  const Actor writer = index_.ActorOf(*write);
  const size_t last = std::max(saw, missed);
  // So soon that both belong together.
  const size_t end = std::min(events_.size(), last + kReach);
  const auto later = WriteBetween(missed, last, end, writer);
  if (!later || WriteBetween(missed, *write, last, writer)) return {};
  return Story{.plot = Plot::kHalf,
               .first = *write,
               .other = missed,
               .second = *later,
               .aside = saw,
               .sure = true};
}

std::optional<Story> Causes::Split(const std::vector<size_t>& looks) const {
  std::vector<size_t> reads;
  Follow(looks, [&](const Look& look) {
    if (!trace::Writes(events_[look.read])) reads.push_back(look.read);
    return reads.size() >= kCompared;
  });
  for (const size_t one : reads) {
    for (const size_t other : reads) {
      if (one == other || index_.ActorOf(one) != index_.ActorOf(other) ||
          events_[one].address == events_[other].address) {
        continue;
      }
      if (one < other) {
        if (auto story = SplitAt(one, other)) return story;
      }
    }
  }
  // Of what failed itself: elsewhere half of a change is often what is meant.
  const size_t last = std::min(looks.size(), kLastLooks);
  for (size_t i = 0; i < last; ++i) {
    for (size_t k = 0; k < last; ++k) {
      if (events_[looks[i]].address == events_[looks[k]].address ||
          trace::Writes(events_[looks[i]]) ||
          trace::Writes(events_[looks[k]])) {
        continue;
      }
      if (auto story = HalfAt(looks[i], looks[k])) return story;
    }
  }
  return {};
}

std::optional<Story> Causes::Missed(size_t wait) const {
  for (const size_t read : ReadsBefore(wait)) {
    const auto other = ChangedBetween({read, wait}, AccessesAround(read));
    if (!other) continue;
    Story story = {.plot = Plot::kMissed,
                   .first = read,
                   .other = *other,
                   .second = wait,
                   .aside = {},
                   .sure = true};
    for (size_t i = *other + 1; i < wait; ++i) {
      const Event& event = events_[i];
      const bool wakes = event.kind == trace::EventKind::kSignal ||
                         event.kind == trace::EventKind::kBroadcast;
      if (!wakes || event.address != events_[wait].address) continue;
      story.aside = i;
      break;
    }
    return story;
  }
  return {};
}

std::optional<Story> Causes::TooEarly(const std::vector<size_t>& looks) const {
  size_t room = kLastLooks;
  for (const size_t look : looks) {
    if (room-- == 0) return {};
    if (trace::Writes(events_[look])) continue;
    const std::vector<size_t> all = AccessesAround(look);
    const auto after = std::ranges::upper_bound(all, look);
    const auto later = std::find_if(after, all.end(), [&](size_t i) {
      return index_.ActorOf(i) != index_.ActorOf(look) &&
             trace::Writes(events_[i]) && !index_.IsPrepared(look, i);
    });
    if (later == all.end()) continue;
    return Story{.plot = Plot::kTooEarly,
                 .first = look,
                 .other = *later,
                 .second = {},
                 .aside = {},
                 .sure = true};
  }
  return {};
}

}  // namespace fairlead::finding
