// order/locksets.h
//
// Which locks threads hold: with mode, the number of the critical section, and
// where it began. Sets of (lock, mode) are interned, so that an access keeps a
// number; that two sets exclude each other is looked up.
//
// A lock is named by its address. A recursive lock counts from its outermost
// acquisition to its outermost release. A condition wait ends the section of
// its mutex, and a new one begins when it is over. Two sections exclude each
// other when a common lock is held exclusively by at least one: two readers of
// a read-write lock do not.
//
// Unsound: a lock in memory that was freed and allocated again counts as the
// same lock.

#ifndef FAIRLEAD_ORDER_LOCKSETS_H_
#define FAIRLEAD_ORDER_LOCKSETS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "order/access.h"
#include "trace/event.h"

namespace fairlead::order {

enum class LockMode : uint8_t { kShared, kExclusive };

struct HeldLock {
  uint64_t lock = 0;  // address
  LockMode mode = LockMode::kExclusive;
  uint64_t section = 0;  // counts all acquisitions of the execution from 1
  uint64_t seq = 0;      // of the event that took it
  uint64_t site = 0;     // SiteKey of that event
  uint32_t node = 0;     // its calling context
  bool operator==(const HeldLock&) const = default;
};

// What a thread held at some moment, shared by all who remember it; null =
// nothing.
using HeldLocks = std::shared_ptr<const std::vector<HeldLock>>;

// A set of (lock, mode) as a number; equal sets have equal numbers.
enum class LocksetId : uint32_t { kEmpty = 0 };

class Locksets {
 public:
  // Consumes the next event. Any sequence is fine: what a thread does not hold
  // it cannot give back.
  void OnEvent(const Event& event);

  // In the order in which they were taken. Holds until the next event.
  std::span<const HeldLock> HeldBy(Tid tid) const;
  LocksetId SetOf(Tid tid) const {
    const size_t index = abi::Index(tid);
    return index < threads_.size() ? threads_[index].set : LocksetId::kEmpty;
  }
  // The same as HeldBy, to be kept.
  HeldLocks SnapshotOf(Tid tid) const;

  // The section of this lock that the thread is in; 0 = it does not hold it.
  uint64_t SectionOf(Tid tid, uint64_t lock) const;

  struct Member {
    uint64_t lock;
    LockMode mode;
    auto operator<=>(const Member&) const = default;
  };
  // Ascending by address.
  std::span<const Member> MembersOf(LocksetId set) const;

  // Whether threads that hold these sets keep each other out.
  bool Exclude(LocksetId one, LocksetId other);

  // The number of a set; of the members, the strongest mode of a lock counts.
  LocksetId Intern(std::vector<Member> members);

 private:
  struct Thread {
    std::vector<HeldLock> held;
    LocksetId set = LocksetId::kEmpty;
    mutable HeldLocks snapshot;  // null = not made yet
  };

  Thread& ThreadOf(Tid tid);
  void Take(const Event& event, uint64_t lock, LockMode mode);
  void Give(Tid tid, uint64_t lock);
  void Renew(Thread& thread);
  bool ComputeExclude(LocksetId one, LocksetId other) const;

  std::vector<Thread> threads_;  // by Tid
  uint64_t num_sections_ = 0;
  std::vector<std::vector<Member>> sets_ = {{}};  // by LocksetId
  std::map<std::vector<Member>, LocksetId> numbers_ = {{{}, LocksetId::kEmpty}};
  std::unordered_map<uint64_t, bool> excludes_;  // by both numbers
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_LOCKSETS_H_
