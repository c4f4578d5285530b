// analysis/atomicity/atomicity.h
//
// Single-variable atomicity violations that another schedule could have: a
// thread accesses a variable twice, and an access of another thread could come
// between so that no serial execution explains the three (AVIO: Lu, Tucek, Qin
// and Zhou, ASPLOS 2006):
//
//   first  other  second
//   read   write  read     two reads of one value see two
//   write  write  read     a thread does not read what it wrote
//   write  read   write    another thread sees what was not meant to be seen
//   read   write  write    an update is lost
//
// Feasible when no lock is held over both that keeps the other out, and nothing
// but locks orders the other access before the second or behind it. (Ordered
// before the second is also what was handed over: it is meant to come between.)
// Where all three are atomic, atomics order nothing either.
//
// Without a word about what is meant to be atomic, only accesses close to each
// other count (kWindow), not the next round of a loop (the same place again),
// not what a compare-and-swap checks itself, and, where each of the two was
// protected by the same lock in sections of its own, only a read whose value a
// later section overwrites without having read again: programs do give up locks
// on purpose.
//
// Incomplete: what was read first may not matter for the second. Forcing tells.
// Unsound: the rules above.

#ifndef FAIRLEAD_ANALYSIS_ATOMICITY_ATOMICITY_H_
#define FAIRLEAD_ANALYSIS_ATOMICITY_ATOMICITY_H_

#include <vector>

#include "analysis/analysis.h"
#include "analysis/site_pairs.h"
#include "order/number_table.h"
#include "order/variable_states.h"

namespace fairlead::analysis {

class Atomicity final : public Analysis {
 public:
  // Instructions of the thread between the two, as in Maple's released code,
  // where it is 1,000 machine instructions; ours are of the intermediate
  // representation, and fewer.
  static constexpr uint64_t kWindow = 1000;

  std::string_view name() const override { return "atomicity"; }
  void OnEvent(const trace::Event& event, order::Model& order,
               PredictionSink& out) override;

 private:
  // Two accesses in a row of one thread: what never changes about them.
  struct Pair {
    order::TypeId first = {};
    order::TypeId second = {};
    order::LocksetId over = {};  // held over both
    bool operator==(const Pair&) const = default;
  };
  struct State {
    // Of numbers of pairs, with the second's stamps; extra: how many events
    // before it the first was; partners: entries.
    order::History pairs;
    // Of types, as they may come between; extra: instructions of the thread
    // until then, modulo 2^32; partners: pairs.
    order::History entries;
  };
  // The access at hand.
  struct Now {
    order::TypeId type;
    order::Stamps stamps;
    Tid tid;
    uint32_t instructions;  // of the thread so far, modulo 2^32
    order::Model& order;
    PredictionSink& out;
  };
  struct PairHash {
    size_t operator()(const Pair& pair) const {
      uint64_t hash = static_cast<uint64_t>(pair.first) << 32 |
                      static_cast<uint64_t>(pair.second);
      hash =
          (hash ^ static_cast<uint64_t>(pair.over) << 17) * 0x9e3779b97f4a7c15u;
      return hash ^ (hash >> 32);
    }
  };

  void OnAccess(uint64_t address, State& state, const Now& now);
  void OnPair(uint64_t address, State& state, size_t first_entry,
              const Now& now);
  void OnEntry(uint64_t address, State& state, size_t known, const Now& now);
  uint32_t NumberOf(const Pair& pair);
  // Whether such an access may come between such two: what never changes.
  static bool MayMeet(const Pair& pair, order::TypeId other,
                      order::Model& order);
  void Compare(uint64_t address, const State& state, size_t pair, size_t entry,
               const Now& now);
  void Report(uint64_t address, const State& state, size_t pair, size_t entry,
              const Now& now);

  std::vector<uint64_t> instructions_;  // by thread, so far
  std::vector<Pair> pairs_;             // by number
  order::NumberTable<Pair, uint32_t, PairHash> numbers_;
  order::VariableStates<State> variables_;
  SitePairs reported_;
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_ATOMICITY_ATOMICITY_H_
