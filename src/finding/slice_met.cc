#include "finding/slice_met.h"

#include <algorithm>
#include <optional>
#include <set>

#include "trace/access.h"

namespace fairlead::finding {
namespace {

using trace::Event;

// On one object, so many of the last pairs say what was going on.
constexpr size_t kMeetings = 3;
// Of what others did before an exchange that should have failed.
constexpr size_t kMaxMeanwhile = 5;

size_t PositionOf(const std::vector<size_t>& accesses, size_t access) {
  return static_cast<size_t>(std::ranges::find(accesses, access) -
                             accesses.begin());
}

std::vector<size_t> AccessesAround(size_t access, By by, const Chosen& chosen) {
  const Event& event = chosen.events()[access];
  return chosen.index().Touching(event.address, event.size, by);
}

// What the writer had read there before it wrote.
void TakeReadBefore(const std::vector<size_t>& accesses, size_t at,
                    Chosen& chosen) {
  if (!trace::Writes(chosen.events()[accesses[at]])) return;
  const Actor actor = chosen.index().ActorOf(accesses[at]);
  for (size_t k = at; k-- > 0;) {
    if (chosen.index().ActorOf(accesses[k]) != actor) continue;
    if (!trace::Writes(chosen.events()[accesses[k]])) chosen.Take(accesses[k]);
    return;
  }
}

// The next write of the same actor.
void TakeWriteAfter(const std::vector<size_t>& accesses, size_t at,
                    Chosen& chosen) {
  const Actor actor = chosen.index().ActorOf(accesses[at]);
  for (size_t k = at + 1; k < accesses.size(); ++k) {
    if (chosen.index().ActorOf(accesses[k]) != actor ||
        !trace::Writes(chosen.events()[accesses[k]])) {
      continue;
    }
    chosen.Take(accesses[k]);
    return;
  }
}

}  // namespace

void TakeMeetings(const std::vector<size_t>& accesses, Chosen& chosen) {
  size_t room = kMeetings;
  for (size_t k = accesses.size(); k-- > 1 && room > 0;) {
    const std::optional<size_t> partner = chosen.index().PartnerOf(accesses, k);
    if (!partner) continue;
    for (const size_t at : {k, *partner}) {
      if (!chosen.Take(accesses[at])) return;
      TakeReadBefore(accesses, at, chosen);
    }
    --room;
  }
}

void TakeMeetingOf(size_t access, By by, Chosen& chosen) {
  const std::vector<size_t> accesses = AccessesAround(access, by, chosen);
  const SliceIndex& index = chosen.index();
  for (size_t k = PositionOf(accesses, access) + 1; k-- > 0;) {
    if (index.ActorOf(accesses[k]) != index.ActorOf(access)) return;
    const std::optional<size_t> partner = index.PartnerOf(accesses, k);
    if (!partner) continue;
    chosen.Take(access);
    chosen.Take(accesses[*partner]);
    return;
  }
}

bool TakeBetween(const SliceIndex::Between& between, By by, Chosen& chosen) {
  const auto accesses = AccessesAround(between.other, by, chosen);
  // Ahead of the look: of a call into a library one access is taken, and what
  // it changes says more.
  if (between.rank == Rank::kOvertaken) {
    TakeWriteAfter(accesses, PositionOf(accesses, between.second), chosen);
  }
  for (const size_t at : {between.first, between.other, between.second}) {
    if (!chosen.Take(at)) return false;
  }
  TakeReadBefore(accesses, PositionOf(accesses, between.other), chosen);
  return true;
}

void TakeAba(const Aba& aba, Chosen& chosen) {
  for (const size_t at : {aba.exchange, aba.look, aba.stale}) chosen.Take(at);
  const size_t num = aba.meanwhile.size();
  for (size_t i = num - std::min(num, kMaxMeanwhile); i < num; ++i) {
    chosen.Take(aba.meanwhile[i]);
  }
  // What makes stale what was read.
  const std::vector<trace::Event>& events = chosen.events();
  for (size_t i = aba.exchange; i-- > aba.stale;) {
    const Event& event = events[i];
    if (!trace::IsAccess(event) || !trace::Writes(event) ||
        event.address != events[aba.stale].address ||
        event.tid == events[aba.stale].tid) {
      continue;
    }
    chosen.Take(i);
    return;
  }
}

void CompleteLooks(Chosen& chosen) {
  const SliceIndex& index = chosen.index();
  std::set<std::pair<Actor, uint64_t>>
      seen;  // accessed by it in what is chosen
  const std::set<size_t> before = chosen.all();
  for (const size_t at : before) {
    const Event& event = chosen.events()[at];
    if (!trace::IsAccess(event)) continue;
    const bool first = seen.insert({index.ActorOf(at), event.address}).second;
    if (first || !trace::Writes(event)) continue;
    for (const By by : {By::kApplication, By::kLibrary}) {
      if (!index.Is(at, by)) continue;
      const auto accesses = AccessesAround(at, by, chosen);
      for (size_t k = PositionOf(accesses, at); k-- > 0;) {
        if (index.ActorOf(accesses[k]) != index.ActorOf(at)) continue;
        chosen.Force(accesses[k]);
        break;
      }
    }
  }
}

}  // namespace fairlead::finding
