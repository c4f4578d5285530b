#include "guard/learn.h"

#include "guard/board.h"
#include "guard/sys.h"

namespace fairlead::guard {
namespace {

constexpr uint64_t kPairSlots = uint64_t{abi::kMaxGuardPairs} * 2;
uint64_t* pair_slots;

// Sets of sites, as chains: a set is another one and one site more. Which
// chain a granule gets depends on the order in which sites come to it; that
// makes more sets, not wrong ones.
struct SiteSet {
  uint32_t site;
  uint32_t parent;  // set; 0 = the empty one
};
constexpr uint32_t kMaxSets = 1u << 20;
constexpr uint32_t kSharedSet = 1u << 31;  // in Granule::set
SiteSet* sets;
uint32_t num_sets = 1;
// (set, site) to the set with it, in one word: set << 38 | site << 20 | result.
constexpr uint64_t kStepSlots = uint64_t{kMaxSets} * 4;
uint64_t* steps;

// Anchors to numbers, made by one thread at a time.
constexpr uint64_t kAnchorSlots = (uint64_t{abi::kMaxGuardSites} + 1) * 2;
uint32_t* anchor_slots;

abi::LearntSite* SitesOfBoard() {
  return reinterpret_cast<abi::LearntSite*>(reinterpret_cast<char*>(board) +
                                            abi::kGuardSitesOffset);
}
uint64_t* PairsOfBoard() {
  return reinterpret_cast<uint64_t*>(reinterpret_cast<char*>(board) +
                                     abi::kGuardPairsOffset);
}

uint64_t Mix(uint64_t word) {
  word *= 0x9e3779b97f4a7c15;
  return word ^ word >> 32;
}

void Mark(uint32_t site, uint32_t flag) {
  uint32_t& flags = SitesOfBoard()[site].flags;
  if ((__atomic_load_n(&flags, __ATOMIC_RELAXED) & flag) != 0) return;
  __atomic_fetch_or(&flags, flag, __ATOMIC_RELAXED);
}

void LearnPair(uint32_t site, uint32_t place) {
  const uint64_t pair = abi::GuardPair(site, place);
  uint64_t at = Mix(pair) & (kPairSlots - 1);
  while (true) {
    uint64_t there = __atomic_load_n(&pair_slots[at], __ATOMIC_RELAXED);
    if (there == pair) return;
    if (there == 0) {
      if (__atomic_compare_exchange_n(&pair_slots[at], &there, pair, false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        break;
      }
      continue;
    }
    at = (at + 1) & (kPairSlots - 1);
  }
  const uint32_t index =
      __atomic_fetch_add(&board->num_pairs, 1, __ATOMIC_RELAXED);
  if (index >= abi::kMaxGuardPairs) {
    SwitchOff("more pairs of sites than can be learnt");
    return;
  }
  PairsOfBoard()[index] = pair;
  Mark(site, abi::kLearntSeen);
}

bool Contains(uint32_t set, uint32_t site) {
  for (; set != 0; set = sets[set].parent) {
    if (sets[set].site == site) return true;
  }
  return false;
}

uint32_t WithSite(uint32_t set, uint32_t site) {
  const uint64_t key = uint64_t{set} << 18 | site;
  uint64_t at = Mix(key) & (kStepSlots - 1);
  for (uint32_t tries = 0; tries < 64; ++tries) {
    uint64_t there = __atomic_load_n(&steps[at], __ATOMIC_ACQUIRE);
    if (there >> 20 == key && there != 0) return there & (kMaxSets - 1);
    if (there == 0) {
      uint32_t result = set;
      if (!Contains(set, site)) {
        result = __atomic_fetch_add(&num_sets, 1, __ATOMIC_RELAXED);
        if (result >= kMaxSets) return set;
        sets[result] = {site, set};
      }
      if (__atomic_compare_exchange_n(&steps[at], &there, key << 20 | result,
                                      false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE)) {
        return result;
      }
      continue;
    }
    at = (at + 1) & (kStepSlots - 1);
  }
  return set;
}

void LearnSharing(Granule& granule, bool remote, uint32_t site) {
  if ((granule.set & kSharedSet) != 0) return Mark(site, abi::kLearntShared);
  granule.set = WithSite(granule.set, site);
  if (!remote) return;
  for (uint32_t set = granule.set; set != 0; set = sets[set].parent) {
    Mark(sets[set].site, abi::kLearntShared);
  }
  granule.set = kSharedSet;
}

}  // namespace

bool PrepareLearning() {
  pair_slots = sys::ReserveArray<uint64_t>(kPairSlots);
  sets = sys::ReserveArray<SiteSet>(kMaxSets);
  steps = sys::ReserveArray<uint64_t>(kStepSlots);
  anchor_slots = sys::ReserveArray<uint32_t>(kAnchorSlots);
  return pair_slots != nullptr && sets != nullptr && steps != nullptr &&
         anchor_slots != nullptr;
}

uint32_t LearningNumber(uint64_t anchor) {
  abi::LearntSite* sites = SitesOfBoard();
  uint64_t at = Mix(anchor) & (kAnchorSlots - 1);
  while (anchor_slots[at] != 0) {
    if (sites[anchor_slots[at]].anchor == anchor) return anchor_slots[at];
    at = (at + 1) & (kAnchorSlots - 1);
  }
  if (board->num_sites >= abi::kMaxGuardSites) return 0;
  const uint32_t number = ++board->num_sites;
  sites[number].anchor = anchor;
  anchor_slots[at] = number;
  return number;
}

void LearnAccess(Granule& granule, uint32_t mask, uint32_t thread,
                 uint32_t site) {
  const Predecessors all = Look(granule, mask, thread);
  bool remote = false;
  for (uint32_t i = 0; i < all.count; ++i) {
    LearnPair(site, all.places[i]);
    remote |= all.places[i] != 0;
  }
  LearnSharing(granule, remote, site);
}

void LearnFree(Granule& granule, uint32_t mask, uint32_t thread,
               uint32_t site) {
  const Predecessors all = Look(granule, mask, thread);
  for (uint32_t i = 0; i < all.count; ++i) {
    const uint32_t last = abi::SiteOfGuardPlace(LastPlace(granule.word));
    LearnPair(site, all.places[i] != 0 ? all.places[i]
                                       : last << 2 | abi::kGuardOwnOnly);
  }
  Mark(site, abi::kLearntShared);
}

}  // namespace fairlead::guard
