#include "finding/same_cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "trace/kinds.h"

namespace fairlead::finding {
namespace {

using trace::Event;
using trace::EventKind;

// Function and file of the program at an event; "" = not known.
std::string PlaceOf(const trace::Trace& slice, const Event& event) {
  const auto origin = slice.names.OriginOf(event);
  const std::string function =
      origin ? origin->call->function : slice.names.FunctionOf(event);
  const trace::Place* place = slice.names.ShownPlaceOf(event);
  if (function.empty() || place == nullptr) return "";
  return function + "\n" + place->file;
}

// Columns differ where a line has several halves of one cause.
bool IsSameLine(const trace::Place& a, const trace::Place& b) {
  return a.file == b.file && a.line == b.line;
}

// What freed the block that a use after free is about; null = not known.
const Event* FreeOf(const Finding& finding) {
  const trace::Trace& slice = finding.witness.slice;
  const auto misuse =
      std::ranges::find(slice.events, EventKind::kMisuse, &Event::kind);
  if (misuse == slice.events.end()) return nullptr;
  for (auto event = misuse; event != slice.events.begin();) {
    --event;
    if (event->kind == EventKind::kFree && misuse->address >= event->address &&
        misuse->address - event->address < event->value) {
      return &*event;
    }
  }
  return nullptr;
}

// Where that was; "" = not known.
std::string FreedIn(const Finding& finding) {
  const Event* free = FreeOf(finding);
  return free == nullptr ? "" : PlaceOf(finding.witness.slice, *free);
}

// Whether `race` is between the free and the use of `use`, at the places that
// their sites have. For frees that no function of the program makes, as those
// of a library at the program's end.
bool IsBetweenFreeAndUse(const Finding& race, const Finding& use) {
  const Event* free = FreeOf(use);
  if (free == nullptr) return false;
  const trace::Place* freed_at = use.witness.slice.names.PlaceOf(*free);
  if (freed_at == nullptr) return false;
  const auto is_free = [&](const Where& site) {
    return IsSameLine(site.place, *freed_at);
  };
  const auto is_use = [&](const Where& site) {
    return std::ranges::any_of(use.sites, [&](const Where& used) {
      return IsSameLine(used.place, site.place);
    });
  };
  return std::ranges::any_of(race.sites, is_free) &&
         std::ranges::any_of(race.sites, is_use);
}

// Whether one half of a race is a free there.
bool RacesWithFreeIn(const Finding& race, const std::string& where) {
  const trace::Trace& slice = race.witness.slice;
  return std::ranges::any_of(slice.events, [&](const Event& event) {
    if (event.kind != EventKind::kFree || PlaceOf(slice, event) != where) {
      return false;
    }
    const trace::Place* place = slice.names.ShownPlaceOf(event);
    return std::ranges::any_of(race.sites, [&](const Where& site) {
      return IsSameLine(site.place, *place);
    });
  });
}

// The calls that led to a failure, innermost first; empty = not known.
std::vector<std::string> FailedStack(const Finding& finding) {
  std::vector<std::string> stack;
  for (const ThreadState& state : finding.witness.threads) {
    if (!state.at_fault) continue;
    for (const Where& frame : state.frames) {
      stack.push_back(fmt::format("{}\n{}\n{}", frame.function,
                                  frame.place.file, frame.place.line));
    }
    return stack;
  }
  return stack;
}

// Whether one stack is the other without its innermost calls, and not only the
// function in which the thread began: where the optimiser has put a call into
// its caller and both into one instruction, the innermost one is not known.
bool IsInsideOf(const std::vector<std::string>& inner,
                const std::vector<std::string>& outer) {
  constexpr size_t kLeast = 2;
  if (outer.size() < kLeast || inner.size() <= outer.size()) return false;
  return std::equal(outer.rbegin(), outer.rend(), inner.rbegin());
}

std::set<std::string> PlacesOf(const Finding& finding) {
  std::set<std::string> places;
  for (const Where& site : finding.sites) places.insert(WhereText(site));
  return places;
}

}  // namespace

bool HaveOneCause(const Finding& a, const Finding& b) {
  if (a.kind == Kind::kUseAfterFree && b.kind == Kind::kRace) {
    const std::string freed = FreedIn(a);
    return freed.empty() ? IsBetweenFreeAndUse(b, a)
                         : RacesWithFreeIn(b, freed);
  }
  if (a.kind != b.kind) return false;
  if (a.kind == Kind::kUseAfterFree) {
    const std::string freed = FreedIn(a);
    return !freed.empty() && freed == FreedIn(b);
  }
  if (a.kind == Kind::kCrash) {
    const std::vector<std::string> mine = FailedStack(a);
    const std::vector<std::string> others = FailedStack(b);
    return IsInsideOf(mine, others) || IsInsideOf(others, mine);
  }
  if (a.kind != Kind::kLostWakeup) return false;
  const std::set<std::string> mine = PlacesOf(a);
  const std::set<std::string> others = PlacesOf(b);
  if (mine.empty() || others.empty()) return false;
  return std::ranges::includes(mine, others) ||
         std::ranges::includes(others, mine);
}

}  // namespace fairlead::finding
