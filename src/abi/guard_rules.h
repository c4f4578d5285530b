// abi/guard_rules.h
//
// The file that tells a guard what it guards: sites by their anchors, and for
// each the remote predecessors that it may have (docs/design/guard.md). The
// tool writes it, the guard library maps it, and neither believes the other.
//
//   GuardRules  { magic, version, numbers, checksum, program }
//   GuardedSite [num_sites]   their numbers count from 1
//   uint64_t    [num_pairs]   allowed: PairOf(site, place)
//
// A *place* is a site with how its thread came to it (GuardHistory), as a
// number: what a location remembers of its last access. Place 0 is nil.
//
// Tier: freestanding.

#ifndef FAIRLEAD_ABI_GUARD_RULES_H_
#define FAIRLEAD_ABI_GUARD_RULES_H_

#include <stddef.h>
#include <stdint.h>

namespace fairlead::abi {

// What the thread of an access did to the same memory just before.
enum class GuardHistory : uint32_t {
  kFirst = 0,  // nothing since another thread's access
  kNext = 1,   // an access at another site
  kAgain = 2,  // an access at the same site
};
inline constexpr uint32_t kNumGuardHistories = 3;
// Only on a board, of the end of a block: no other thread has come there, and
// its own thread was there last, at the site of the place.
inline constexpr uint32_t kGuardOwnOnly = 3;

inline constexpr uint32_t kMaxGuardSites = (1u << 18) - 1;
inline constexpr uint32_t kMaxGuardPairs = 1u << 20;

constexpr uint32_t GuardPlace(uint32_t site, GuardHistory history) {
  return site << 2 | static_cast<uint32_t>(history);
}
constexpr uint32_t SiteOfGuardPlace(uint32_t place) { return place >> 2; }
constexpr uint64_t GuardPair(uint32_t site, uint32_t place) {
  return uint64_t{site} << 32 | place;
}

// A site that is none: the end of a block of memory (free, delete).
inline constexpr uint64_t kFreeAnchor = 0xf4ee;

struct GuardedSite {
  uint64_t anchor;
};

inline constexpr char kGuardRulesMagic[8] = {'F', 'L', 'R', 'U',
                                             'L', 'E', 'S', '\n'};
// History (a reader refuses all others): 1  first layout.
inline constexpr uint32_t kGuardRulesVersion = 1;

struct GuardRules {
  char magic[8];
  uint32_t version;
  uint32_t num_sites;
  uint32_t num_pairs;
  uint32_t reserved;
  uint64_t checksum;  // GuardChecksum of all that follows this record
  char program[64];   // zero-terminated; for people
};
static_assert(sizeof(GuardRules) == 96);

constexpr size_t GuardRulesBytes(uint32_t num_sites, uint32_t num_pairs) {
  return sizeof(GuardRules) + num_sites * sizeof(GuardedSite) +
         num_pairs * sizeof(uint64_t);
}

// FNV-1a, eight bytes at a time.
inline uint64_t GuardChecksum(const uint64_t* words, size_t num_words) {
  uint64_t sum = 0xcbf29ce484222325;
  for (size_t i = 0; i < num_words; ++i) {
    sum = (sum ^ words[i]) * 0x100000001b3;
    sum ^= sum >> 29;
  }
  return sum;
}

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_GUARD_RULES_H_
