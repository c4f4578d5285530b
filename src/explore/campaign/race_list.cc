#include "explore/campaign/race_list.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/patience.h"
#include "explore/names/object_names.h"
#include "explore/names/sources.h"
#include "explore/names/thread_names.h"
#include "explore/names/trace_keeper.h"
#include "explore/run/record_tee.h"
#include "finding/same_cause.h"
#include "finding/slice_race.h"

namespace fairlead::explore {
namespace {

// So often a race is repeated that then turns out to do no harm.
constexpr uint64_t kMostLowered = 3;

// Whether both places of the race are among the events that show `failure`, by
// different threads: then it is how that came about.
bool Shows(const Found& failure, const finding::Finding& race) {
  const trace::Trace& slice = failure.finding.witness.slice;
  const auto line = [](const trace::Place& place) {
    return fmt::format("{}:{}", place.file, place.line);
  };
  // What is kept beside the steps that decide need not have to do with it.
  std::set<uint64_t> steps;
  for (const finding::Deciding& each : failure.finding.witness.deciding) {
    steps.insert(each.step);
  }
  std::map<std::string, std::set<trace::Tid>> threads;
  for (const trace::Event& event : slice.events) {
    if (!steps.empty() && !steps.contains(event.seq)) continue;
    const trace::Place* place = slice.names.ShownPlaceOf(event);
    if (place != nullptr) threads[line(*place)].insert(event.tid);
  }
  std::set<trace::Tid> all;
  for (const finding::Where& site : race.sites) {
    const auto found = threads.find(line(site.place));
    if (found == threads.end()) return false;
    all.insert(found->second.begin(), found->second.end());
  }
  return all.size() > 1;
}

}  // namespace

bool IsAmong(const finding::Finding& finding,
             const std::vector<NamedRace>& races) {
  const auto same_lines = [&](const NamedRace& race) {
    if (!race.realised) return false;
    if (race.finding.fingerprint == finding.fingerprint) return true;
    const std::vector<finding::Where>& sites = race.finding.sites;
    return std::ranges::is_permutation(sites, finding.sites, {},
                                       &finding::Where::place,
                                       &finding::Where::place);
  };
  return std::ranges::any_of(races, same_lines);
}

Status RaceList::Add(std::vector<NamedRace> races, const Finished& finished,
                     const UnderWay& execution, uint64_t number, bool hurry) {
  std::vector<size_t> added;
  for (NamedRace& race : races) {
    const auto same = [&](const auto& each) { return each.IsSame(race); };
    if (!race.realised) {
      if (std::ranges::none_of(possible_, same) &&
          possible_.size() < kMaxRaces) {
        possible_.push_back(std::move(race));
      }
      continue;
    }
    const auto known = std::ranges::find_if(
        list_, [&](const Entry& entry) { return entry.race.IsSame(race); });
    if (known != list_.end()) {
      known->race.marks.insert(race.marks.begin(), race.marks.end());
      ++known->found.times;
      // What did no harm there may do it here.
      if (race.finding.severity <= known->found.finding.severity ||
          known->lowered == kMostLowered) {
        continue;
      }
      known->race = std::move(race);
      added.push_back(static_cast<size_t>(known - list_.begin()));
    } else if (list_.size() < kMaxRaces) {
      list_.push_back({.race = std::move(race), .found = {}});
      added.push_back(list_.size() - 1);
    }
  }
  if (added.empty()) return {};
  std::vector<Entry*> entries;
  for (const size_t index : added) {
    Entry& entry = list_[index];
    const uint64_t times = entry.found.times;
    entry.found = found_.Witnessed(entry.race.finding, finished, execution);
    entry.found.times = times;
    entry.found.execution = number;
    entries.push_back(&entry);
  }
  return hurry ? Status() : Repeat(entries);
}

Status RaceList::Repeat(std::vector<Entry*>& entries) {
  const finding::Witness& witness = entries[0]->found.finding.witness;
  if (!witness.schedule) return {};
  const trace::Schedule schedule = *witness.schedule;
  const Repetition repetition = {.schedule = &schedule,
                                 .driven = !options_.setting.drive.empty(),
                                 .carrier = abi::CarrierId::kFiber,
                                 .timeout = options_.timeout};
  const FollowedInputs inputs = LayOutInputs(schedule.inputs);
  for (uint64_t i = 0; i < options_.repeats && !ShouldStop(); ++i) {
    const Result<bool> tried = RepeatOnce(repetition, inputs, entries);
    if (!tried) return tried.error();
    if (!*tried) break;
  }
  for (Entry* entry : entries) {
    Found& found = entry->found;
    found.finding.verdict = found.tried > 0 && found.repeated == found.tried
                                ? finding::Verdict::kConfirmed
                                : finding::Verdict::kUnknown;
  }
  return {};
}

Result<bool> RaceList::RepeatOnce(const Repetition& repetition,
                                  const FollowedInputs& inputs,
                                  std::vector<Entry*>& entries) {
  const Result<Runner*> fresh = found_.FreshRunner();
  if (!fresh) return fresh.error();
  Task task = TaskFor(repetition, inputs);
  TraceKeeper keeper;
  RaceWatch watch(repetition.schedule->quiet.idle.empty());
  EventStream stream(watch);
  RecordTee tee;
  tee.Add(keeper);
  tee.Add(stream);
  task.plan.flags |= abi::kPlanTrace;
  task.observer = &tee;
  const Result<Finished> finished = RunOne(**fresh, task);
  if (!finished) return finished.error();
  // What nobody waited for says nothing.
  if (ShouldStop()) return false;
  Namer namer(*finished->executed.memory);
  const trace::Trace whole = keeper.Take(namer);
  const std::vector<NamedRace> races = watch.Finish(namer, whole.names.objects);
  for (Entry* entry : entries) {
    Found& found = entry->found;
    ++found.tried;
    const auto same = std::ranges::find_if(races, [&](const NamedRace& race) {
      return race.realised && race.IsSame(entry->race);
    });
    if (same == races.end()) continue;
    if (found.repeated++ != 0) continue;
    finding::Finding& finding = found.finding;
    // The same again, with names for blocks of the heap.
    if (same->finding.sites == finding.sites) {
      finding.message = same->finding.message;
      finding.details = same->finding.details;
      // With idle sites, what was there before a write may not be known.
      if (same->finding.severity < finding.severity) {
        finding.severity = same->finding.severity;
        ++entry->lowered;
      }
    }
    finding.witness.slice =
        finding::SliceForRace(whole, same->earlier, same->later);
    NameThreads(whole, finding);
    NameObjects(finished->executed, whole, keeper, namer, {}, finding);
    finding.witness.sources = SourcesOf(finding, namer);
  }
  return true;
}

std::vector<Found> RaceList::Take(const std::vector<Found>& failures) {
  std::vector<Found> races;
  for (Entry& entry : list_) {
    const finding::Finding& finding = entry.found.finding;
    if (finding.severity < options_.least_told) continue;
    const bool shown = std::ranges::any_of(failures, [&](const Found& failure) {
      return Shows(failure, finding) ||
             finding::HaveOneCause(failure.finding, finding);
    });
    if (!shown) races.push_back(std::move(entry.found));
  }
  // Of equal severity, the first that came up first.
  std::ranges::sort(races, {}, [](const Found& each) {
    return std::tuple(-static_cast<int>(each.finding.severity), each.execution,
                      each.finding.fingerprint);
  });
  list_.clear();
  return races;
}

std::vector<std::string> RaceList::Possible() const {
  std::vector<std::string> sentences;
  for (const NamedRace& race : possible_) {
    const auto same = [&](const Entry& entry) {
      return entry.race.IsSame(race);
    };
    if (std::ranges::any_of(list_, same)) continue;
    sentences.push_back("data race: " + race.finding.message);
  }
  return sentences;
}

}  // namespace fairlead::explore
