#include "finding/same_cause.h"

#include <algorithm>
#include <set>
#include <string>

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

// Where the block was freed that a use after free is about; "" = not known.
std::string FreedIn(const Finding& finding) {
  const trace::Trace& slice = finding.witness.slice;
  const auto misuse =
      std::ranges::find(slice.events, EventKind::kMisuse, &Event::kind);
  if (misuse == slice.events.end()) return "";
  for (auto event = misuse; event != slice.events.begin();) {
    --event;
    if (event->kind != EventKind::kFree || misuse->address < event->address ||
        misuse->address - event->address >= event->value) {
      continue;
    }
    return PlaceOf(slice, *event);
  }
  return "";
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
      return site.place.file == place->file && site.place.line == place->line;
    });
  });
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
    return !freed.empty() && RacesWithFreeIn(b, freed);
  }
  if (a.kind != b.kind) return false;
  if (a.kind == Kind::kUseAfterFree) {
    const std::string freed = FreedIn(a);
    return !freed.empty() && freed == FreedIn(b);
  }
  if (a.kind != Kind::kLostWakeup) return false;
  const std::set<std::string> mine = PlacesOf(a);
  const std::set<std::string> others = PlacesOf(b);
  if (mine.empty() || others.empty()) return false;
  return std::ranges::includes(mine, others) ||
         std::ranges::includes(others, mine);
}

}  // namespace fairlead::finding
