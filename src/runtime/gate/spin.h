// runtime/gate/spin.h
//
// Notices that a thread repeats itself: it reads what it has read before, finds
// the same values, and has changed nothing in between. Such a thread is demoted
// by the gate (sched/fairness.h), never disabled: bounded spins are legal.
//
// Keeps the last value seen for kEntries recent (site, address) pairs. Reading
// a pair for the first time, or with another value, is progress; so is a
// change.
//
// Incomplete: a loop that re-reads one shared variable and otherwise works in
// private looks like a spin. It is demoted for a moment, which does no harm.
// Unsound: a loop that polls more than kEntries places is never noticed.
//
// Tier: freestanding.

#ifndef FAIRLEAD_RUNTIME_GATE_SPIN_H_
#define FAIRLEAD_RUNTIME_GATE_SPIN_H_

#include <stddef.h>
#include <stdint.h>

namespace fairlead::rt {

class SpinWatch {
 public:
  // Repeats that make a spin: more than an ordinary double check or a retry,
  // fewer than any loop that waits.
  static constexpr uint32_t kThreshold = 6;

  // A read (or failed attempt) that found `value`. True when the thread spins.
  bool Saw(uint64_t site, uint64_t address, uint64_t value) {
    const uint64_t key = (site ^ (address * kMix)) | 1;
    Entry& entry = entries_[SlotOf(site, address)];
    if (entry.key == key && entry.value == value &&
        entry.generation == generation_) {
      return ++repeats_ >= kThreshold;
    }
    entry = {key, value, generation_};
    repeats_ = 0;
    return false;
  }

  // The thread changed something itself.
  void Progressed() {
    ++generation_;
    repeats_ = 0;
  }

  bool spinning() const { return repeats_ >= kThreshold; }

 private:
  static constexpr size_t kEntries = 32;
  static constexpr uint64_t kMix = 0x9e3779b97f4a7c15;

  // Which pairs push each other out must not depend on where the program was
  // loaded, so only the part of the address that loading keeps takes part.
  static size_t SlotOf(uint64_t site, uint64_t address) {
    return ((site ^ (address & 0xfff)) * kMix >> 32) % kEntries;
  }

  struct Entry {
    uint64_t key;  // 0 = empty
    uint64_t value;
    uint64_t generation;
  };
  Entry entries_[kEntries];
  uint64_t generation_;
  uint32_t repeats_;
};

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_GATE_SPIN_H_
