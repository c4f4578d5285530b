// sched/rng.h
//
// The random numbers of strategies: xoshiro256** (Blackman and Vigna, 2018),
// its state filled by splitmix64 (Steele, Lea and Flood, OOPSLA 2014), so that
// seeds 1, 2, 3… give streams that have nothing in common. Not for secrets.
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_RNG_H_
#define FAIRLEAD_SCHED_RNG_H_

#include <stdint.h>

namespace fairlead::sched {

// Mixes all bits of `x` into all bits of the result; a bijection.
constexpr uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

class Rng {
 public:
  constexpr Rng() : Rng(0) {}
  constexpr explicit Rng(uint64_t seed) {
    for (uint64_t& word : state_) {
      seed += 0x9e3779b97f4a7c15;  // 2^64 / golden ratio, as splitmix64 has it
      word = Mix(seed);
    }
  }

  constexpr uint64_t Next() {
    const uint64_t result = Rotate(state_[1] * 5, 7) * 9;
    const uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = Rotate(state_[3], 45);
    return result;
  }

  constexpr uint64_t NextNonZero() {
    uint64_t next = Next();
    while (next == 0) next = Next();
    return next;
  }

  // Uniform over [0, bound); bound > 0. Multiplies instead of dividing and
  // throws away the few values that would make low results likelier (Lemire,
  // TOMACS 2019).
  constexpr uint64_t Below(uint64_t bound) {
    unsigned __int128 product = Wide(Next()) * bound;
    if (static_cast<uint64_t>(product) < bound) {
      const uint64_t surplus = -bound % bound;
      while (static_cast<uint64_t>(product) < surplus) {
        product = Wide(Next()) * bound;
      }
    }
    return static_cast<uint64_t>(product >> 64);
  }

 private:
  static constexpr unsigned __int128 Wide(uint64_t x) { return x; }
  static constexpr uint64_t Rotate(uint64_t x, int by) {
    return (x << by) | (x >> (64 - by));
  }

  uint64_t state_[4];  // not all zero
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_RNG_H_
