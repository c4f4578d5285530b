// order/sections.h
//
// Accesses inside critical sections: of every lock that its thread holds, which
// section an access lies in (HeldLock::section), whether it is the first of its
// thread to the variable in that section, and whether it is the last. Between
// the first and the last of a section nobody else who needs the lock can touch
// the variable, so only the last access of one section can be directly followed
// by another thread's, and that is the first of its section.
//
// First is known at once. Last is known when the section is over, or when the
// thread touches the variable again; until then an access may be the last. A
// condition wait ends the section of its mutex (order/locksets.h).
//
//   SectionAccesses sections;
//   sections.OnEvent(event, locks, visitor);   // after locks.OnEvent(event)
//
// Bytes that are always touched together are one variable (order/variables.h).
// Of each variable and thread the newest access is kept, so memory grows with
// the variables that are alive, not with the execution.
//
// Unsound: of more than 32 locks that a thread holds at once, the 32 taken
// first count.

#ifndef FAIRLEAD_ORDER_SECTIONS_H_
#define FAIRLEAD_ORDER_SECTIONS_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "order/access.h"
#include "order/locksets.h"
#include "order/variables.h"

namespace fairlead::order {

inline constexpr size_t kMaxMarkedSections = 32;

// An access to one variable, with the sections that it lies in.
struct SectionAccess {
  Spot spot;
  AccessKind kind = AccessKind::kNone;
  HeldLocks held;  // null = no lock; in the order in which they were taken
  // Sections in which it is the first access of its thread to the variable;
  // bits by index into `held`.
  uint32_t first = 0;

  std::span<const HeldLock> sections() const {
    if (held == nullptr) return {};
    return std::span(*held).first(std::min(held->size(), kMaxMarkedSections));
  }
  bool FirstIn(size_t index) const { return (first >> index & 1) != 0; }
};

// Sections of `access` that are over, as `locks` stand now; bits as in `first`.
// For the newest access of its thread to its variable: where it is the last.
inline uint32_t EndedSections(const SectionAccess& access,
                              const Locksets& locks) {
  uint32_t ended = 0;
  for (size_t i = 0; i < access.sections().size(); ++i) {
    const HeldLock& each = (*access.held)[i];
    if (locks.SectionOf(access.spot.tid, each.lock) != each.section) {
      ended |= uint32_t{1} << i;
    }
  }
  return ended;
}

class SectionAccesses {
 public:
  // Consumes the next event, which `locks` has consumed already. The visitor
  // has
  //   OnAccess(address, access)       a new access to the variable there
  //   OnDecided(address, access, last)  an older one, of whose sections it is
  //                                   known now in which it was the last: its
  //                                   thread has touched the variable again, or
  //                                   the variable is gone
  // For each variable that an event touches, OnDecided comes first.
  template <typename Visitor>
  void OnEvent(const Event& event, const Locksets& locks, Visitor& visitor) {
    const AccessKind kind = AccessOf(event);
    if (kind != AccessKind::kNone) {
      variables_.Touch(event.address, event.size,
                       [&](uint64_t address, State& state) {
                         Touch(event, kind, locks, address, state, visitor);
                       });
    } else if (EndsMemory(event.kind)) {
      variables_.Forget(event.address, event.value,
                        [&](uint64_t address, State& state) {
                          Decide(address, state, visitor);
                        });
    }
  }

  // The stream is complete: whatever is not decided yet is the last.
  template <typename Visitor>
  void OnEnd(Visitor& visitor) {
    variables_.ForEach([&](uint64_t address, State& state) {
      Decide(address, state, visitor);
    });
  }

  // The newest access of a thread to the variable that begins at this byte, or
  // null.
  const SectionAccess* NewestOf(uint64_t address, Tid tid) {
    State* state = variables_.Find(address);
    return state == nullptr ? nullptr : FindIn(*state, tid);
  }

 private:
  using State = std::vector<SectionAccess>;  // one for each thread

  static SectionAccess* FindIn(State& state, Tid tid) {
    for (SectionAccess& each : state) {
      if (each.spot.tid == tid) return &each;
    }
    return nullptr;
  }

  template <typename Visitor>
  static void Touch(const Event& event, AccessKind kind, const Locksets& locks,
                    uint64_t address, State& state, Visitor& visitor) {
    SectionAccess* entry = FindIn(state, event.tid);
    uint64_t previous = 0;
    if (entry != nullptr) {
      previous = entry->spot.seq + 1;
      visitor.OnDecided(address, *entry, EndedSections(*entry, locks));
    } else {
      entry = &state.emplace_back();
    }
    *entry = {SpotOf(event), kind, locks.SnapshotOf(event.tid), 0};
    // The first iff its thread's previous one is older than the section.
    for (size_t i = 0; i < entry->sections().size(); ++i) {
      if (previous <= (*entry->held)[i].seq) entry->first |= uint32_t{1} << i;
    }
    visitor.OnAccess(address, *entry);
  }

  // Nothing can follow in any section.
  template <typename Visitor>
  static void Decide(uint64_t address, State& state, Visitor& visitor) {
    for (const SectionAccess& each : state) {
      const size_t n = each.sections().size();
      const uint64_t all = (uint64_t{1} << n) - 1;
      visitor.OnDecided(address, each, static_cast<uint32_t>(all));
    }
  }

  Variables<State> variables_;
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_SECTIONS_H_
