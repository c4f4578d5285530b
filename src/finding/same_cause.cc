#include "finding/same_cause.h"

#include <algorithm>
#include <set>
#include <string>

#include "trace/kinds.h"

namespace fairlead::finding {
namespace {

using trace::Event;
using trace::EventKind;

// Function and file of the program that freed what a use after free is about;
// "" = not known.
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
    const auto origin = slice.names.OriginOf(*event);
    const std::string function =
        origin ? origin->call->function : slice.names.FunctionOf(*event);
    const trace::Place* place = slice.names.ShownPlaceOf(*event);
    if (function.empty() || place == nullptr) return "";
    return function + "\n" + place->file;
  }
  return "";
}

std::set<std::string> PlacesOf(const Finding& finding) {
  std::set<std::string> places;
  for (const Where& site : finding.sites) places.insert(WhereText(site));
  return places;
}

}  // namespace

bool HaveOneCause(const Finding& a, const Finding& b) {
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
