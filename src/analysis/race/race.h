// analysis/race/race.h
//
// Happens-before data races with the precision of FastTrack (Flanagan and
// Freund, PLDI 2009): two accesses to common bytes, one of them a write, not
// both atomic, that nothing orders. No false ones, given that the events show
// all synchronisation; and for every variable that has a race in this
// execution, at least one is reported. Freeing memory counts as a write to all
// of it.
//
// Each variable has the last plain write, and those plain reads, atomic reads
// and atomic writes that no later one of their sort is ordered behind. That is
// one entry each, nearly always.
//
// Differs from the paper: reads that a later read is ordered behind are dropped
// instead of a full vector; atomic accesses are apart; byte ranges.
//
// The target of a race is the order that was not seen.
//
// Unsound: of several races on one variable, and of accesses within one segment
// of a thread, only the latest are looked at. A race that this schedule's lock
// order hides is not seen: analysis/race/hybrid.h predicts those.

#ifndef FAIRLEAD_ANALYSIS_RACE_RACE_H_
#define FAIRLEAD_ANALYSIS_RACE_RACE_H_

#include <memory>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/site_pairs.h"
#include "order/variable_states.h"

namespace fairlead::analysis {

class Race final : public Analysis {
 public:
  std::string_view name() const override { return "race"; }
  void OnAccess(const trace::Event& event, order::Model& order,
                PredictionSink& out) override;
  void OnOther(const trace::Event& event, order::Model& order,
               PredictionSink& out) override;
  bool Expects() const override { return true; }
  void Expect(uint32_t variable) override {
    const State* state = variables_.Find(variable);
    if (state == nullptr) return;
    __builtin_prefetch(&state->write);
    __builtin_prefetch(&state->reads);
  }

 private:
  struct Entry {
    order::Epoch epoch;  // not known() = no entry
    order::Spot spot;
    // Whether it is ordered behind another one, given what its thread knows.
    bool IsBehind(const Entry& other, const order::VectorClock& clock) const {
      return other.epoch.tid() == epoch.tid() || clock.Covers(other.epoch);
    }
  };
  // Accesses of one sort, none of which is ordered before another.
  class Entries {
   public:
    Entries() = default;
    Entries(const Entries& other)
        : first(other.first),
          more(other.more ? std::make_unique<std::vector<Entry>>(*other.more)
                          : nullptr) {}
    Entries& operator=(const Entries& other) {
      if (this != &other) *this = Entries(other);
      return *this;
    }
    Entries(Entries&&) = default;
    Entries& operator=(Entries&&) = default;

    // Adds an access of a thread that knows `clock`.
    void Add(const Entry& entry, const order::VectorClock& clock) {
      if (more == nullptr && entry.IsBehind(first, clock)) {
        first = entry;
      } else {
        AddToMore(entry, clock);
      }
    }
    void AddToMore(const Entry& entry, const order::VectorClock& clock);

    Entry first;
    std::unique_ptr<std::vector<Entry>> more;  // null = none
  };
  struct Atomics {
    Entries reads;
    Entries writes;
  };
  struct State {
    State() = default;
    State(const State& other)
        : write(other.write),
          reads(other.reads),
          atomics(other.atomics ? std::make_unique<Atomics>(*other.atomics)
                                : nullptr) {}
    State& operator=(const State& other) {
      if (this != &other) *this = State(other);
      return *this;
    }
    State(State&&) = default;
    State& operator=(State&&) = default;

    Entry write;
    Entries reads;
    std::unique_ptr<Atomics> atomics;  // null = none so far
  };
  // The access at hand.
  struct Now {
    Entry entry;
    const order::VectorClock& clock;
    order::Model& order;
    PredictionSink& out;
  };

  void OnPlainRead(uint64_t address, State& state, const Now& now);
  void OnPlainWrite(uint64_t address, State& state, const Now& now);
  void OnAtomic(uint64_t address, State& state, const Now& now, bool writes);
  void Check(uint64_t address, const Entry& earlier, const Now& now) {
    if (!now.entry.IsBehind(earlier, now.clock)) Report(address, earlier, now);
  }
  void Check(uint64_t address, const Entries& earlier, const Now& now);
  void Report(uint64_t address, const Entry& earlier, const Now& now);

  order::VariableStates<State> variables_;
  SitePairs reported_;
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_RACE_RACE_H_
