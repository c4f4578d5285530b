// explore/plan/knowledge.h
//
// What is known about a program across executions, inputs and builds, of one
// kind of thing that executions may show: which have been shown and how often,
// which are predicted for the input at hand, which were tried in vain. A value;
// the store keeps it between campaigns (store/memo_rows.h), by kind. iRoots are
// its first users (explore/plan/memo.h).
//
//   exposed     never forced again
//   predicted   of the input at hand: a candidate, until it is exposed
//   rests       tried kAttemptsHere times with this input or kAttempts times in
//               all, in vain; comes back when nothing else is left
//
// An entry is a struct that derives from `Known` and has
//   using Key = …            what it is about, named over anchors, so that it
//                            is the same one in another build
//   using Hash = …           of a key
//   const Key& key() const
//   explicit Entry(const Key&)
//   void Merge(const Entry&)        takes over what else another one knows
//   void TakePlaces(const PlaceFacts&)   what the places of its anchors say
//
// Threads: one.

#ifndef FAIRLEAD_EXPLORE_PLAN_KNOWLEDGE_H_
#define FAIRLEAD_EXPLORE_PLAN_KNOWLEDGE_H_

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explore/names/place_names.h"
#include "finding/coverage.h"

namespace fairlead::explore {

// By anchor.
using PlaceFacts = std::map<uint64_t, SiteFacts>;

struct Known {
  uint64_t exposures = 0;       // executions that showed it
  bool predicted = false;       // for the input at hand
  uint64_t attempts = 0;        // to force it that failed, with any input
  uint64_t attempts_here = 0;   // with this one
  bool under_way = false;       // an attempt has begun
  bool changed = false;         // since it was last kept
  uint64_t kept_exposures = 0;  // as it was kept
  uint64_t kept_attempts = 0;

  bool exposed() const { return exposures != 0; }
};

template <typename Entry>
class Knowledge {
 public:
  using Key = typename Entry::Key;
  using Growth = finding::Growth;  // how exposing went on

  // Attempts in vain after which a thing rests.
  static constexpr uint64_t kAttemptsHere = 2;
  static constexpr uint64_t kAttempts = 6;

  static bool Rests(const Known& known) {
    return known.attempts_here >= kAttemptsHere || known.attempts >= kAttempts;
  }

  // The entry of a key, for the calls below; made if it is not there. Good
  // until another one is made. Taken as changed.
  Entry& EntryOf(const Key& key) {
    const auto [at, is_new] = by_key_.try_emplace(key, entries_.size());
    if (is_new) {
      entries_.emplace_back(key);
      entries_.back().TakePlaces(places_);
    }
    Entry& entry = entries_[at->second];
    entry.changed = true;
    return entry;
  }

  // An execution is over: first the places that it names, then what it showed
  // and predicts, then how long it took.
  void AddPlaces(const PlaceFacts& places) {
    for (const auto& [anchor, fact] : places) {
      places_.insert_or_assign(anchor, fact);
    }
  }
  // True: no execution had shown it.
  bool Show(Entry& entry) {
    const bool first = entry.exposures++ == 0;
    exposed_ += first;
    return first;
  }
  // True: it is to be forced, and was not before.
  bool Predict(Entry& entry) {
    const bool fresh = !entry.predicted && !entry.exposed() && !Rests(entry);
    entry.predicted = true;
    return fresh;
  }
  void EndExecution(uint64_t nanoseconds) {
    ++executions_;
    nanoseconds_ += nanoseconds;
    if (exposed_ != exposed_at_end_) AddGrowth();
    exposed_at_end_ = exposed_;
  }

  // What came of an attempt.
  void LearnAttempt(size_t index, bool realised) {
    Entry& entry = entries_[index];
    entry.under_way = false;
    entry.changed = true;
    if (!realised) {
      ++entry.attempts;
      ++entry.attempts_here;
    } else if (Show(entry)) {
      AddGrowth();
      exposed_at_end_ = exposed_;
    }
  }
  void Begin(size_t index) { entries_[index].under_way = true; }
  // Nothing, except that it is no longer under way.
  void Release(size_t index) { entries_[index].under_way = false; }

  // Another input begins: predictions are of the input.
  void BeginInput() {
    for (Entry& entry : entries_) {
      entry.changed |= entry.predicted || entry.attempts_here != 0;
      entry.predicted = false;
      entry.attempts_here = 0;
    }
  }

  // Takes over what another one knows of the same keys, which are over anchors,
  // so that it may be of another build; predictions are left alone.
  void Merge(const Knowledge& other) {
    places_.insert(other.places_.begin(), other.places_.end());
    for (const Entry& theirs : other.entries_) {
      Entry& entry = EntryOf(theirs.key());
      if (!entry.exposed() && theirs.exposed()) ++exposed_;
      entry.exposures += theirs.exposures;
      entry.attempts += theirs.attempts;
      entry.Merge(theirs);
    }
    executions_ += other.executions_;
    nanoseconds_ += other.nanoseconds_;
    AddGrowth();
    exposed_at_end_ = exposed_;
  }

  // As it was kept.
  void Restore(std::vector<Entry> entries, PlaceFacts places,
               std::vector<Growth> growth) {
    *this = Knowledge();
    entries_ = std::move(entries);
    places_ = std::move(places);
    for (size_t i = 0; i < entries_.size(); ++i) {
      Entry& entry = entries_[i];
      by_key_.emplace(entry.key(), i);
      exposed_ += entry.exposed();
      entry.kept_exposures = entry.exposures;
      entry.kept_attempts = entry.attempts;
      entry.TakePlaces(places_);
    }
    exposed_at_end_ = exposed_;
    growth_ = std::move(growth);
    kept_growth_ = growth_.size();
    if (growth_.empty()) return;
    executions_ = growth_.back().executions;
    nanoseconds_ = growth_.back().nanoseconds;
  }

  const std::vector<Entry>& entries() const { return entries_; }
  const PlaceFacts& facts() const { return places_; }
  const std::vector<Growth>& growth() const { return growth_; }
  uint64_t num_executions() const { return executions_; }
  uint64_t num_exposed() const { return exposed_; }
  // Candidates that are neither exposed nor rest.
  uint64_t num_open() const {
    return static_cast<uint64_t>(
        std::ranges::count_if(entries_, [](const Entry& entry) {
          return entry.predicted && !entry.exposed() && !Rests(entry);
        }));
  }

  // Those that changed since they were last taken or restored, with what was
  // kept then, and the growth since; for who keeps the knowledge.
  std::vector<Entry> TakeChanges() {
    std::vector<Entry> changes;
    for (Entry& entry : entries_) {
      if (!entry.changed) continue;
      entry.changed = false;
      changes.push_back(entry);
      entry.kept_exposures = entry.exposures;
      entry.kept_attempts = entry.attempts;
    }
    return changes;
  }
  std::vector<Growth> TakeGrowth() {
    // The last point says how long has been looked without anything new.
    const Growth now = {executions_, nanoseconds_, exposed_};
    if (executions_ != 0 && (growth_.empty() || growth_.back() != now)) {
      growth_.push_back(now);
    }
    std::vector<Growth> since(
        growth_.begin() + static_cast<ptrdiff_t>(kept_growth_), growth_.end());
    kept_growth_ = growth_.size();
    return since;
  }

 private:
  void AddGrowth() { growth_.push_back({executions_, nanoseconds_, exposed_}); }

  std::vector<Entry> entries_;
  std::unordered_map<Key, size_t, typename Entry::Hash> by_key_;
  PlaceFacts places_;
  std::vector<Growth> growth_;
  size_t kept_growth_ = 0;
  uint64_t executions_ = 0;
  uint64_t nanoseconds_ = 0;
  uint64_t exposed_ = 0;         // entries
  uint64_t exposed_at_end_ = 0;  // of the last execution that counted
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_PLAN_KNOWLEDGE_H_
