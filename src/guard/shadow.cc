#include "guard/shadow.h"

#include "guard/board.h"
#include "guard/sys.h"

namespace fairlead::guard {
namespace {

constexpr uint32_t kPageGranules = 512;
struct Page {
  Granule granules[kPageGranules];
};
constexpr uint64_t kMiddleEntries = uint64_t{1} << 18;
struct Middle {
  Page* pages[kMiddleEntries];
};

// 1 MB of zeros, of which a program touches a few pages.
constexpr uint64_t kRootEntries = uint64_t{1} << 17;
Middle* root[kRootEntries];

// Split granules: block 0 is none. Free blocks are kept in a list through
// their first cell.
struct Split {
  Cell cells[kGranuleBytes];
};
constexpr uint32_t kMaxSplits = 1u << 20;
Split* splits;
uint32_t num_splits = 1;
uint32_t free_split = 0;
uint32_t splits_lock = 0;

uint64_t pages_left = 8192;

// Pages are taken from larger pieces.
constexpr size_t kPiecePages = 64;
Page* piece;
uint32_t piece_used = kPiecePages;
uint32_t piece_lock = 0;

// Who holds it may have left by longjmp, in a handler: then it is ours. The ten
// instructions that it guards take nobody so long.
void Take(uint32_t& lock) {
  constexpr uint64_t kPatience = 500'000'000;
  uint64_t since = 0;
  while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE) != 0) {
    const uint64_t now = sys::Now();
    if (since == 0) since = now;
    if (now - since > kPatience) return;
    sys::Call(SYS_sched_yield);
  }
}
void Give(uint32_t& lock) { __atomic_store_n(&lock, 0, __ATOMIC_RELEASE); }

Page* NewPage() {
  Take(piece_lock);
  Page* page = nullptr;
  if (pages_left != 0) {
    if (piece_used == kPiecePages) {
      piece = sys::ReserveArray<Page>(kPiecePages);
      if (piece != nullptr) piece_used = 0;
    }
    if (piece_used < kPiecePages) {
      page = &piece[piece_used++];
      --pages_left;
      Count(&abi::GuardCounters::pages);
    }
  }
  Give(piece_lock);
  return page;
}

// The first who sets a slot wins; a page of his that lost is not used again.
template <typename T>
T* Publish(T** slot, T* made) {
  T* before = nullptr;
  if (made == nullptr) return nullptr;
  if (__atomic_compare_exchange_n(slot, &before, made, false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE)) {
    return made;
  }
  return before;
}

Page** SlotOf(uint64_t address, bool make) {
  if (address >> 47 != 0) return nullptr;
  Middle** top = &root[address >> 30];
  Middle* middle = __atomic_load_n(top, __ATOMIC_ACQUIRE);
  if (middle == nullptr) {
    if (!make) return nullptr;
    middle = Publish(top, static_cast<Middle*>(sys::Reserve(sizeof(Middle))));
    if (middle == nullptr) return nullptr;
  }
  return &middle->pages[address >> 12 & (kMiddleEntries - 1)];
}

uint32_t NewSplit() {
  Take(splits_lock);
  if (splits == nullptr) splits = sys::ReserveArray<Split>(kMaxSplits);
  uint32_t block = 0;
  if (splits != nullptr && free_split != 0) {
    block = free_split;
    free_split = static_cast<uint32_t>(splits[block].cells[0]);
  } else if (splits != nullptr && num_splits < kMaxSplits) {
    block = num_splits++;
  }
  Give(splits_lock);
  return block;
}

void FreeSplit(uint32_t block) {
  Take(splits_lock);
  splits[block].cells[0] = free_split;
  free_split = block;
  Give(splits_lock);
}

uint32_t SplitOf(const Granule& granule) { return granule.shape >> 8; }
uint32_t TouchedOf(const Granule& granule) { return granule.shape & 0xff; }

// Gives each byte a cell of its own. Without room for them the granule stays
// as it is, and its bytes are taken for one.
void SplitUp(Granule& granule) {
  const uint32_t block = NewSplit();
  if (block == 0) {
    Count(&abi::GuardCounters::lost_accesses);
    granule.shape |= 0xff;
    return;
  }
  const Cell cell = granule.word & ~kCellHeld;
  for (uint32_t i = 0; i < kGranuleBytes; ++i) {
    splits[block].cells[i] = (TouchedOf(granule) >> i & 1) != 0 ? cell : 0;
  }
  granule.shape |= block << 8;
}

void Add(Predecessors& all, uint32_t place) {
  for (uint32_t i = 0; i < all.count; ++i) {
    if (all.places[i] == place) return;
  }
  all.places[all.count++] = place;
}

}  // namespace

void LimitShadow(uint64_t pages) { pages_left = pages; }

Granule* FindGranule(uint64_t address) {
  Page** slot = SlotOf(address, false);
  Page* page =
      slot == nullptr ? nullptr : __atomic_load_n(slot, __ATOMIC_ACQUIRE);
  if (page == nullptr) return nullptr;
  return &page->granules[address >> 3 & (kPageGranules - 1)];
}

Granule* GranuleAt(uint64_t address) {
  Page** slot = SlotOf(address, true);
  if (slot == nullptr) return nullptr;
  Page* page = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
  if (page == nullptr) {
    page = Publish(slot, NewPage());
    if (page == nullptr) return nullptr;
  }
  return &page->granules[address >> 3 & (kPageGranules - 1)];
}

bool Hold(Granule& granule) {
  constexpr int kSpins = 200;  // a few hundred nanoseconds
  // Behind that the holder does not run. Ten milliseconds of yielding are more
  // than any scheduler that has little to do needs to bring it back. Who learns
  // has time, and must not miss what others do.
  const uint64_t kPatience =
      StateNow() == abi::GuardState::kLearning ? 500'000'000 : 10'000'000;
  uint64_t since = 0;
  for (int tries = 0;; ++tries) {
    uint64_t word = __atomic_load_n(&granule.word, __ATOMIC_RELAXED);
    // Pairs with the release of Release: what its holder wrote is there.
    if ((word & kCellHeld) == 0 &&
        __atomic_compare_exchange_n(&granule.word, &word, word | kCellHeld,
                                    true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
      return true;
    }
    if (tries < kSpins) {
      __builtin_ia32_pause();
      continue;
    }
    sys::Call(SYS_sched_yield);
    const uint64_t now = sys::Now();
    if (since == 0) since = now;
    if (now - since > kPatience) {
      // Or it never comes back, having left a handler by longjmp: the next one
      // does not wait again.
      Release(granule);
      return false;
    }
  }
}

Predecessors Look(const Granule& granule, uint32_t mask, uint32_t thread) {
  Predecessors all;
  all.count = 1;
  all.places[0] = 0;
  if (TouchedOf(granule) == 0) return all;
  const uint32_t block = SplitOf(granule);
  if (block == 0 && (TouchedOf(granule) & mask) == mask) {
    all.places[0] = RemotePredecessor(granule.word, thread);
    return all;
  }
  all.count = 0;
  for (uint32_t i = 0; i < kGranuleBytes; ++i) {
    if ((mask >> i & 1) == 0) continue;
    if (block != 0) {
      Add(all, RemotePredecessor(splits[block].cells[i], thread));
    } else {
      const bool touched = (TouchedOf(granule) >> i & 1) != 0;
      Add(all, touched ? RemotePredecessor(granule.word, thread) : 0);
    }
  }
  return all;
}

void Record(Granule& granule, uint32_t mask, uint32_t thread, uint32_t site) {
  if (TouchedOf(granule) == 0) granule.shape |= mask;
  if (SplitOf(granule) == 0 && TouchedOf(granule) != mask) SplitUp(granule);
  const uint32_t block = SplitOf(granule);
  if (block == 0) {
    const uint64_t held = granule.word & kCellHeld;
    granule.word = Recorded(granule.word & ~kCellHeld, thread, site) | held;
    return;
  }
  granule.shape |= mask;
  for (uint32_t i = 0; i < kGranuleBytes; ++i) {
    if ((mask >> i & 1) == 0) continue;
    Cell& cell = splits[block].cells[i];
    cell = Recorded(cell, thread, site);
  }
}

void Forget(uint64_t address, uint64_t bytes) {
  const uint64_t end = address + bytes;
  for (uint64_t at = address; at < end;) {
    if (at >> 47 != 0) return;
    if (__atomic_load_n(&root[at >> 30], __ATOMIC_ACQUIRE) == nullptr) {
      at = ((at >> 30) + 1) << 30;
      continue;
    }
    const uint64_t page_end = ((at >> 12) + 1) << 12;
    const uint64_t stop = page_end < end ? page_end : end;
    if (FindGranule(at) != nullptr) {
      ForEachKnown(at, stop - at, [](Granule& granule, uint32_t) {
        if (!Hold(granule)) return;
        if (SplitOf(granule) != 0) FreeSplit(SplitOf(granule));
        granule.shape = 0;
        granule.set = 0;
        granule.word = kCellHeld;
        Release(granule);
      });
    }
    at = stop;
  }
}

}  // namespace fairlead::guard
