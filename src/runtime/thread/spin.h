// runtime/thread/spin.h
//
// Notices that a thread repeats itself: it reads what it has read before, finds
// the same values, and has changed nothing in between. Such a thread is demoted
// by the gate (sched/fairness.h), never disabled: bounded spins are legal.
//
// Keeps the last value seen for kEntries recent (site, address) pairs. Reading
// a pair for the first time, or with another value, is progress; so is a
// change. A pair has its place in one of several sets of kWays; with one way,
// two places that a loop polls would push each other out for ever wherever the
// linker happens to put them.
//
// A loop that looks at one shared variable and otherwise works in private, on
// memory whose sites are idle, repeats itself just so. Demoted, it could never
// overtake others, and what only that shows would stay unseen. So a repeat
// after some work weighs less than one after none.
//
// Incomplete: such a loop of more than kThreshold rounds is taken for a spin.
// Unsound: a loop that polls more than kWays places of one set is never
// noticed.
//
// Tier: freestanding.

#ifndef FAIRLEAD_RUNTIME_THREAD_SPIN_H_
#define FAIRLEAD_RUNTIME_THREAD_SPIN_H_

#include <stddef.h>
#include <stdint.h>

namespace fairlead::rt {

class SpinWatch {
 public:
  // Six repeats without work make a spin: more than an ordinary double check or
  // a retry, fewer than any loop that waits. Of repeats with work, as many as
  // a loop over a few dozen elements does not make.
  static constexpr uint32_t kThreshold = 36;
  static constexpr uint32_t kWithoutWork = 6;
  // Instructions between two reads that are more than going round a loop.
  static constexpr uint64_t kWork = 64;

  // A read (or failed attempt) that found `value`. True when the thread spins.
  bool Saw(uint64_t site, uint64_t address, uint64_t value) {
    return Repeats(site, address, value, kWithoutWork);
  }
  // The same by a thread that has executed so many instructions.
  bool Saw(uint64_t site, uint64_t address, uint64_t value,
           uint64_t instructions) {
    const bool worked = instructions - looked_at_ > kWork;
    looked_at_ = instructions;
    return Repeats(site, address, value, worked ? 1 : kWithoutWork);
  }

  // The thread changed something itself.
  void Progressed() {
    ++generation_;
    repeats_ = 0;
  }

  // Whether the thread repeats itself, and reads the words of these bytes
  // meanwhile.
  bool LooksAt(uint64_t address, uint64_t bytes) const {
    if (!repeating()) return false;
    const uint64_t first = address / kWordBytes;
    const uint64_t last = (address + bytes - 1) / kWordBytes;
    for (const Entry& entry : entries_) {
      const uint64_t word = entry.address / kWordBytes;
      if (entry.key != 0 && entry.generation == generation_ && word >= first &&
          word <= last) {
        return true;
      }
    }
    return false;
  }

  bool spinning() const { return repeats_ >= kThreshold; }
  // Whether its last read found what it had found before.
  bool repeating() const { return repeats_ != 0; }

 private:
  static constexpr size_t kEntries = 32;
  static constexpr size_t kWays = 4;
  static constexpr size_t kSets = kEntries / kWays;
  static constexpr uint64_t kWordBytes = 8;
  static constexpr uint64_t kMix = 0x9e3779b97f4a7c15;

  struct Entry {
    uint64_t key;  // 0 = empty
    uint64_t address;
    uint64_t value;
    uint64_t generation;
  };

  bool Repeats(uint64_t site, uint64_t address, uint64_t value,
               uint32_t weight) {
    const uint64_t key = (site ^ (address * kMix)) | 1;
    const size_t set = SetOf(site, address);
    Entry* entry = Find(set, key);
    if (entry == nullptr) {
      entry = entries_ + set * kWays + victims_[set]++ % kWays;
    } else if (entry->value == value && entry->generation == generation_) {
      repeats_ += weight;
      return spinning();
    }
    *entry = {key, address, value, generation_};
    repeats_ = 0;
    return false;
  }

  Entry* Find(size_t set, uint64_t key) {
    Entry* first = entries_ + set * kWays;
    for (size_t i = 0; i < kWays; ++i) {
      if (first[i].key == key) return first + i;
    }
    return nullptr;
  }

  // Which pairs push each other out must not depend on where the program was
  // loaded, so only the part of the address that loading keeps takes part.
  static size_t SetOf(uint64_t site, uint64_t address) {
    return ((site ^ (address & 0xfff)) * kMix >> 32) % kSets;
  }

  Entry entries_[kEntries];
  uint64_t generation_;
  uint64_t looked_at_;  // instructions of the thread
  uint32_t repeats_;
  uint8_t victims_[kSets];  // whose turn it is to be pushed out of each
};

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_THREAD_SPIN_H_
