// analysis/iroot/lock_pairs.h
//
// Locks taken while others are held, within the window: what the deadlock form
// of idiom 5 is made of, lock(m)..lock(n) of one thread against
// lock(n)..lock(m) of another. The whole graph of locks, cycles of more threads
// and pairs that are further apart are the business of analysis/deadlock.

#ifndef FAIRLEAD_ANALYSIS_IROOT_LOCK_PAIRS_H_
#define FAIRLEAD_ANALYSIS_IROOT_LOCK_PAIRS_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/iroot/segments.h"
#include "analysis/iroot/touch.h"
#include "order/locksets.h"

namespace fairlead::analysis::iroot {

struct LockPair {
  Tid tid = Tid::kNone;
  uint64_t held = 0;  // address
  uint64_t wanted = 0;
  uint64_t held_place = 0;
  uint64_t wanted_place = 0;
  bool held_exclusive = true;
  bool wanted_exclusive = true;
  order::LocksetId gates = order::LocksetId::kEmpty;  // held besides
  std::vector<Moment> moments;  // of some of them, the first ones
};

class LockPairs {
 public:
  explicit LockPairs(uint64_t window) : window_(window) {}

  // A lock is about to be taken: `locks` are those from before.
  void OnLock(const trace::Event& event, const Touch& touch,
              order::Locksets& locks, Segments& segments,
              uint64_t instructions);

  static constexpr size_t kMaxPairs = 100'000;

  // At most kMaxPairs, the first ones.
  const std::vector<LockPair>& all() const { return pairs_; }

  // Whether the two could wait for each other.
  static bool MayDeadlock(const LockPair& one, const LockPair& other,
                          order::Locksets& locks);

 private:
  static constexpr size_t kMaxMoments = 8;
  struct Taken {
    uint64_t lock;
    uint64_t instructions;
  };

  uint64_t window_;
  std::vector<std::vector<Taken>> taken_;  // by thread; when each was last
  LockPair* EntryOf(LockPair pair);

  std::vector<LockPair> pairs_;
  std::unordered_multimap<uint64_t, size_t> by_digest_;  // into pairs_
};

}  // namespace fairlead::analysis::iroot

#endif  // FAIRLEAD_ANALYSIS_IROOT_LOCK_PAIRS_H_
