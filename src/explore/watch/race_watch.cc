#include "explore/watch/race_watch.h"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "abi/hidden_state.h"
#include "analysis/race/race_prediction.h"
#include "finding/fingerprint.h"

namespace fairlead::explore {
namespace {

using analysis::SeenRace;
using finding::Finding;
using finding::Severity;
using finding::Where;
using trace::EventKind;
using trace::Names;

// How many further pairs of lines of one cause are listed.
constexpr size_t kMostListed = 4;

trace::Event EventOf(const order::Spot& spot) {
  trace::Event event;
  event.site = spot.site;
  event.node = spot.node;
  event.tid = spot.tid;
  event.kind = spot.kind;
  event.flags = spot.instrumented ? abi::kFlagInstrumented : 0;
  return event;
}

// Where people should look: what a library does, it does for a call.
Where WhereOf(const order::Spot& spot, const Names& names) {
  const trace::Event event = EventOf(spot);
  if (const auto origin = names.OriginOf(event)) {
    return {.function = origin->call->function,
            .place = origin->call->place,
            .anchor = origin->call->anchor};
  }
  Where where = {.function = names.FunctionOf(event)};
  if (const trace::Place* place = names.PlaceOf(event)) where.place = *place;
  if (spot.instrumented) {
    const auto site = names.sites.find(spot.site);
    if (site != names.sites.end()) where.anchor = site->second.anchor;
  }
  return where;
}

std::string_view VerbOf(EventKind kind) {
  switch (kind) {
    case EventKind::kRead:
    case EventKind::kAtomicLoad:
      return "reads";
    case EventKind::kWrite:
    case EventKind::kAtomicStore:
      return "writes";
    case EventKind::kRmw:
    case EventKind::kCas:
      return "updates";
    default:
      return "frees";
  }
}

std::string LineOf(const Where& where) {
  return fmt::format("{}:{}", where.place.file, where.place.line);
}

std::string PlaceText(const Where& where) {
  const std::string text = finding::WhereText(where);
  return text.empty() ? "an unknown place" : text;
}

bool IsNamed(std::string_view object) { return !object.starts_with("0x"); }

bool StoresVtable(const order::Spot& spot, const Names& names) {
  const auto site = names.sites.find(spot.site);
  return spot.instrumented && site != names.sites.end() &&
         (site->second.flags & abi::kSiteVtable) != 0 &&
         site->second.function.starts_with('~');
}

// A destructor begins by storing the virtual table that its object has already.
bool StoresVtableAgain(const SeenRace& race, const Names& names) {
  return race.changes_nothing &&
         (StoresVtable(race.earlier, names) || StoresVtable(race.later, names));
}

Severity SeverityOf(const SeenRace& race, const Names& names) {
  return race.matters() && !StoresVtableAgain(race, names) ? Severity::kLow
                                                           : Severity::kInfo;
}

std::string LocksText(const std::vector<uint64_t>& locks, const Names& names) {
  if (locks.empty()) return "no lock";
  std::string text;
  for (const uint64_t lock : locks) {
    text += (text.empty() ? "" : ", ") + names.ObjectText(lock);
  }
  return text;
}

std::vector<std::string> DetailsOf(const SeenRace& race, const Names& names) {
  std::vector<std::string> details;
  details.push_back(fmt::format(
      "{} held {}, {} held {}", names.ThreadText(race.earlier.tid),
      LocksText(race.earlier_locks, names), names.ThreadText(race.later.tid),
      LocksText(race.later_locks, names)));
  switch (race.proof) {
    case SeenRace::Proof::kTogether:
      details.push_back("both stood before their accesses at once");
      break;
    case SeenRace::Proof::kUnordered:
      details.push_back("no atomic, lock or other synchronisation orders them");
      break;
    case SeenRace::Proof::kPossible:
      details.push_back(
          "code that was not compiled with fairlead-cc ran in between, and may "
          "have ordered them");
      break;
  }
  if (race.by_hand) {
    details.push_back("synchronisation made by hand orders them");
  }
  if (StoresVtableAgain(race, names)) {
    details.push_back("it is the virtual table that was there before");
  }
  if (race.all_volatile) {
    details.push_back("all accesses are volatile or atomic, aligned and small");
  }
  return details;
}

// What the C library keeps for all threads and the access is to, when its site
// says so; else null.
const abi::HiddenStateEntry* HiddenStateOf(const order::Spot& spot,
                                           const Names& names) {
  if (!spot.instrumented) return nullptr;
  const auto site = names.sites.find(spot.site);
  if (site == names.sites.end()) return nullptr;
  const auto type = names.types.find(site->second.type);
  if (type == names.types.end()) return nullptr;
  for (const abi::HiddenStateEntry& state : abi::kHiddenStates) {
    if (type->second.name == state.name) return &state;
  }
  return nullptr;
}

// Of either access: the other may be one through a pointer to a buffer.
const abi::HiddenStateEntry* HiddenStateOf(const SeenRace& race,
                                           const Names& names) {
  const auto* state = HiddenStateOf(race.earlier, names);
  return state != nullptr ? state : HiddenStateOf(race.later, names);
}

NamedRace Describe(const SeenRace& race, const Names& names) {
  NamedRace named;
  named.realised = race.realised();
  named.earlier = race.earlier.seq;
  named.later = race.later.seq;
  Finding& finding = named.finding;
  finding.kind = finding::Kind::kRace;
  finding.severity = SeverityOf(race, names);
  finding.sites = {WhereOf(race.earlier, names), WhereOf(race.later, names)};
  const abi::HiddenStateEntry* hidden = HiddenStateOf(race, names);
  const std::string object =
      hidden != nullptr ? hidden->name : names.ObjectText(race.address);
  finding.message = fmt::format(
      "{} {} {} at {}, and {} {} it at {}", names.ThreadText(race.earlier.tid),
      VerbOf(race.earlier.kind), IsNamed(object) ? object : "memory",
      PlaceText(finding.sites[0]), names.ThreadText(race.later.tid),
      VerbOf(race.later.kind), PlaceText(finding.sites[1]));
  finding.details = DetailsOf(race, names);
  if (hidden != nullptr && *hidden->advice != '\0') {
    finding.details.insert(finding.details.begin(), hidden->advice);
  }
  std::pair lines =
      std::minmax({LineOf(finding.sites[0]), LineOf(finding.sites[1])});
  named.marks.insert(fmt::format("{} and {}", lines.first, lines.second));
  if (IsNamed(object)) named.marks.insert(object);
  return named;
}

// The places of a cause: the least of all pairs, whichever was seen first.
void Identify(NamedRace& named) {
  named.finding.fingerprint =
      finding::Fingerprint(finding::Kind::kRace, "", named.finding.sites);
}

bool IsWorse(const NamedRace& one, const NamedRace& other) {
  const auto rank = [](const NamedRace& race) {
    return std::tuple(!race.realised, -static_cast<int>(race.finding.severity),
                      race.later, race.earlier);
  };
  return rank(one) < rank(other);
}

// Takes `other`, which is the same and no worse, into `named`.
void Merge(NamedRace& named, const NamedRace& other) {
  for (const std::string& mark : other.marks) {
    const bool lines = mark.find(" and ") != std::string::npos;
    if (!named.marks.insert(mark).second || !lines) continue;
    if (named.marks.size() > kMostListed + 2) continue;
    named.finding.details.push_back("also: " + mark);
  }
}

UsedNumbers UsedBy(const std::vector<SeenRace>& races) {
  UsedNumbers used;
  for (const SeenRace& race : races) {
    for (const order::Spot* spot : {&race.earlier, &race.later}) {
      if (spot->site == 0) continue;
      (spot->instrumented ? used.sites : used.callers).insert(spot->site);
      used.nodes.insert(spot->node);
    }
  }
  return used;
}

}  // namespace

bool NamedRace::IsSame(const NamedRace& other) const {
  return std::ranges::any_of(marks, [&](const std::string& mark) {
    return other.marks.contains(mark);
  });
}

std::vector<NamedRace> RaceWatch::Finish(Namer& namer, const Objects& objects) {
  const std::vector<SeenRace> races = races_.Finish();
  if (races.empty()) return {};
  Names names = namer.For(UsedBy(races));
  names.objects.insert(objects.begin(), objects.end());
  std::vector<NamedRace> all;
  for (const SeenRace& race : races) all.push_back(Describe(race, names));
  std::ranges::sort(all, IsWorse);
  std::vector<NamedRace> causes;
  for (NamedRace& race : all) {
    const auto same = std::ranges::find_if(
        causes, [&](const NamedRace& each) { return each.IsSame(race); });
    if (same != causes.end()) {
      Merge(*same, race);
    } else {
      causes.push_back(std::move(race));
    }
  }
  for (NamedRace& cause : causes) Identify(cause);
  return causes;
}

}  // namespace fairlead::explore
