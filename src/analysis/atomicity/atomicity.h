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
// and not what a compare-and-swap checks itself. Where each of the two was
// protected by the same lock in sections of its own, they are likely to belong
// together only if the first reads a value and the second overwrites it without
// having read again: programs do give up locks on purpose. The others are told
// as unlikely ones (Prediction::likely).
//
// Unsound: beyond half a million pairs of one thread, further ones are left
// out.
// Incomplete: what was read first may not matter for the second. Forcing tells.
// Unsound: the rules above.

#ifndef FAIRLEAD_ANALYSIS_ATOMICITY_ATOMICITY_H_
#define FAIRLEAD_ANALYSIS_ATOMICITY_ATOMICITY_H_

#include <vector>

#include "analysis/analysis.h"
#include "analysis/site_pairs.h"
#include "order/number_table.h"

namespace fairlead::analysis {

class Atomicity final : public Analysis {
 public:
  // Instructions of the thread between the two, as in Maple's released code,
  // where it is 1,000 machine instructions; ours are of the intermediate
  // representation, and fewer.
  static constexpr uint64_t kWindow = 1000;

  std::string_view name() const override { return "atomicity"; }
  void OnAccess(const trace::Event& event, order::Model& order,
                PredictionSink& out) override;

 private:
  // Two accesses in a row of one thread: what never changes about them.
  struct Pair {
    order::TypeId first = {};
    order::TypeId second = {};
    order::LocksetId over = {};  // held over both
    bool operator==(const Pair&) const = default;
  };
  // A variable as it is looked at.
  struct State {
    uint64_t address;
    // Of numbers of pairs, with the second's stamps; extra: how many events
    // before it the first was; others: entries.
    order::History& pairs;
    // Of types, as they may come between; others: pairs.
    order::History& entries;
  };
  // The access at hand.
  struct Now {
    order::TypeId type;
    order::Stamps stamps;
    Tid tid;
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

  // The number of pairs that nothing can be said about. Others have the thread
  // above, as a TypeId does.
  static constexpr uint32_t kHarmless = 0;

  void OnEntered(const order::Entered& entered, const trace::Event& event,
                 const Now& now);
  void OnFollower(State& state, order::History::Entry& entry,
                  const order::Entered& entered, const Now& now);
  void OnPair(State& state, uint32_t number, uint64_t first_seq,
              const Now& now);
  void OnEntry(State& state, const order::Entered& entered, const Now& now);
  uint32_t NumberOf(const Pair& pair, order::Model& order);
  const Pair& PairOf(uint32_t number) const {
    return pairs_[number >> order::kTypeBits][number & order::kTypeMask];
  }
  // What never changes: whether anything that comes between such two is worth
  // telling, whether they are likely meant to be apart, and whether such an
  // access may come between.
  static bool MayMatter(const Pair& pair, order::Model& order);
  static bool MeantApart(const Pair& pair, order::Model& order);
  static bool MayMeet(const Pair& pair, order::TypeId other,
                      order::Model& order);
  void Compare(const State& state, size_t pair, size_t entry, const Now& now);
  void Report(const State& state, size_t pair, size_t entry, const Now& now);

  std::vector<std::vector<Pair>> pairs_;  // by thread, and number from 1 on
  order::NumberTable<Pair, uint32_t, PairHash> numbers_;
  SitePairs reported_;
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_ATOMICITY_ATOMICITY_H_
