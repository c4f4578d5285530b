#include "finding/sentence_locks.h"

#include <fmt/core.h>

#include <algorithm>

#include "trace/access.h"

namespace fairlead::finding {
namespace {

using trace::Event;
using trace::EventKind;

bool IsAtomic(const Event& event) {
  return event.kind == EventKind::kAtomicLoad ||
         event.kind == EventKind::kAtomicStore ||
         event.kind == EventKind::kRmw || event.kind == EventKind::kCas;
}

class Judge {
 public:
  Judge(const Sliced& sliced, size_t first, size_t other, size_t second,
        const SentenceWords& words)
      : words_(words),
        first_(sliced.trace.events[first]),
        other_(sliced.trace.events[other]),
        second_(sliced.trace.events[second]),
        at_first_(HeldIn(sliced, first)),
        at_other_(HeldIn(sliced, other)),
        at_second_(HeldIn(sliced, second)) {
    for (const auto& [lock, taken] : at_first_) {
      const auto later = at_second_.find(lock);
      if (later == at_second_.end()) continue;
      (later->second == taken ? both_ : again_).push_back(lock);
    }
  }

  LockVerdict Say() const {
    if (const auto lock = Common(both_)) return OfOneLock(*lock);
    if (const auto lock = Common(again_)) return OfTwoSections(*lock);
    if (!both_.empty()) return OfOtherLocks();
    if (!at_other_.empty()) return OfTheOthersLock();
    if (at_first_.empty() && at_second_.empty()) return OfNoLock();
    return OfParts();
  }

 private:
  static Held HeldIn(const Sliced& sliced, size_t position) {
    const auto held = sliced.held.find(position);
    return held == sliced.held.end() ? Held() : held->second;
  }

  static std::vector<uint64_t> LocksOf(const Held& held) {
    std::vector<uint64_t> locks;
    for (const auto& [lock, taken] : held) locks.push_back(lock);
    return locks;
  }

  // One of these that the other thread holds, too.
  std::optional<uint64_t> Common(const std::vector<uint64_t>& locks) const {
    for (const uint64_t lock : locks) {
      if (at_other_.contains(lock)) return lock;
    }
    return {};
  }

  bool IsShared(size_t taken) const {
    return taken < words_.whole().events.size() &&
           words_.whole().events[taken].has(abi::kFlagShared);
  }

  std::string One() const { return words_.Thread(first_.tid); }
  std::string Other() const { return words_.Thread(other_.tid); }

  LockVerdict OfOneLock(uint64_t lock) const {
    const bool mine = IsShared(at_first_.at(lock));
    const bool others = IsShared(at_other_.at(lock));
    // An exclusive lock on one side at least would have kept them apart.
    if (!mine || !others) return {};
    return {.kind = "wrong lock",
            .advice =
                fmt::format("both hold {} shared only; held exclusively where "
                            "something is changed, it would forbid this",
                            words_.Object(lock))};
  }

  LockVerdict OfTwoSections(uint64_t lock) const {
    return {.kind = "atomicity violation",
            .advice = fmt::format(
                "each step holds {}, but {} gives it up in between; "
                "holding it from the first step to the last would "
                "forbid this",
                words_.Object(lock), One())};
  }

  LockVerdict OfOtherLocks() const {
    const std::string mine = words_.Locks(both_);
    if (at_other_.empty()) {
      return {.kind = "lock missing",
              .advice = fmt::format(
                  "{} holds {}, {} holds no lock; holding {}{} would "
                  "forbid this",
                  One(), mine, Other(), mine, words_.At(other_))};
    }
    return {.kind = "wrong lock",
            .advice = fmt::format(
                "{} holds {}, {} holds {}; only one and the same lock "
                "on both sides would forbid this",
                One(), mine, Other(), words_.Locks(LocksOf(at_other_)))};
  }

  LockVerdict OfTheOthersLock() const {
    const std::string others = words_.Locks(LocksOf(at_other_));
    if (at_first_.empty() && at_second_.empty()) {
      return {.kind = "lock missing",
              .advice = fmt::format(
                  "{} holds {}, {} holds no lock; holding {} over both "
                  "of its steps would forbid this",
                  Other(), others, One(), others)};
    }
    const bool part = std::ranges::any_of(at_other_, [&](const auto& each) {
      return at_first_.contains(each.first) || at_second_.contains(each.first);
    });
    if (!part) {
      Held mine = at_first_;
      mine.insert(at_second_.begin(), at_second_.end());
      return {.kind = "wrong lock",
              .advice = fmt::format(
                  "{} holds {}, {} holds {}; only one and the same "
                  "lock on both sides would forbid this",
                  One(), words_.Locks(LocksOf(mine)), Other(), others)};
    }
    const bool late = at_first_.empty();
    return {.kind = "atomicity violation",
            .of_parts = true,
            .advice = fmt::format(
                "{} holds {} at its {} step only; holding it over both "
                "would forbid this",
                One(), words_.Locks(LocksOf(late ? at_second_ : at_first_)),
                late ? "second" : "first")};
  }

  LockVerdict OfNoLock() const {
    if (IsAtomic(first_) && IsAtomic(other_) && IsAtomic(second_)) {
      return {
          .kind = "atomicity violation",
          .advice =
              "each step is atomic, but not both together; one atomic "
              "operation for both, or a lock held over both on either side, "
              "would forbid this"};
    }
    return {.kind = "lock missing",
            .advice =
                "no lock is held; one lock over both steps, and at the other, "
                "would forbid this"};
  }

  LockVerdict OfParts() const {
    Held mine = at_first_;
    mine.insert(at_second_.begin(), at_second_.end());
    return {.kind = "atomicity violation",
            .of_parts = true,
            .advice = fmt::format(
                "{} does not hold {} over both steps, and {} holds no "
                "lock; holding it there and there would forbid this",
                One(), words_.Locks(LocksOf(mine)), Other())};
  }

  const SentenceWords& words_;
  const Event& first_;
  const Event& other_;
  const Event& second_;
  Held at_first_, at_other_, at_second_;
  std::vector<uint64_t> both_;   // held over both steps
  std::vector<uint64_t> again_;  // held at both, and given up in between
};

}  // namespace

LockVerdict LocksAround(const Sliced& sliced, size_t first, size_t other,
                        size_t second, const SentenceWords& words) {
  return Judge(sliced, first, other, second, words).Say();
}

}  // namespace fairlead::finding
