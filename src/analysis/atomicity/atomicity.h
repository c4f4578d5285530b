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
// Unsound: the rules above; and a variable keeps at most kMaxEntries of each.

#ifndef FAIRLEAD_ANALYSIS_ATOMICITY_ATOMICITY_H_
#define FAIRLEAD_ANALYSIS_ATOMICITY_ATOMICITY_H_

#include <vector>

#include "analysis/analysis.h"
#include "analysis/site_pairs.h"
#include "order/variables.h"

namespace fairlead::analysis {

class Atomicity final : public Analysis {
 public:
  // Instructions of the thread between the two, as in Maple's released code,
  // where it is 1,000 machine instructions; ours are of the intermediate
  // representation, and fewer.
  static constexpr uint64_t kWindow = 1000;
  static constexpr size_t kMaxEntries = 16;

  std::string_view name() const override { return "atomicity"; }
  void OnEvent(const trace::Event& event, order::Model& order,
               PredictionSink& out) override;

 private:
  // One access, as it may come between two of another thread.
  struct Entry {
    order::Spot spot;
    order::Epoch epoch;
    order::Epoch loose;  // in the order without atomics
    order::LocksetId locks;
    order::AccessKind kind;
    bool atomic;
    uint64_t hold;  // SiteKey of the first lock held; 0 = none
  };
  // The last access of a thread.
  struct Last {
    Entry entry;
    uint64_t instructions;  // of the thread until then
  };
  // Two accesses in a row of one thread.
  struct Pair {
    Entry first;
    Entry second;
    order::LocksetId over;  // held over both
  };
  struct State {
    std::vector<Last> lasts;
    std::vector<Pair> pairs;
    std::vector<Entry> entries;
    bool benign = false;
  };

  void OnAccess(uint64_t address, State& state, const Entry& now,
                order::Model& order, PredictionSink& out);
  void OnPair(uint64_t address, State& state, Pair pair, order::Model& order,
              PredictionSink& out);
  static bool Remember(State& state, const Entry& now);
  static bool MayMeet(const Pair& pair, const Entry& other, const Entry& early,
                      order::Model& order);
  void Report(uint64_t address, const Pair& pair, const Entry& other,
              order::Model& order, PredictionSink& out);

  std::vector<uint64_t> instructions_;  // by thread, so far
  order::Variables<State> variables_;
  SitePairs reported_;
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_ATOMICITY_ATOMICITY_H_
