// order/shadow.h
//
// A table over the program's memory: one cell for every 8 bytes, in pages that
// are made when first touched. Cells are values with a default that means
// "nothing known". What is told about a range that no longer exists is
// forgotten, and pages that lie in it whole are given back, so the table grows
// with the memory that is alive and has been touched.
//
// Incomplete: a small block's page stays when the block is freed; it is used
// again by the next block there.

#ifndef FAIRLEAD_ORDER_SHADOW_H_
#define FAIRLEAD_ORDER_SHADOW_H_

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

namespace fairlead::order {

inline constexpr uint64_t kCellBytes = 8;

// Cells that a range of bytes touches: [first, last]. Ranges are untrusted: one
// that runs over the end of memory is cut there.
struct CellRange {
  uint64_t first = 1;
  uint64_t last = 0;  // below first: no cell
  bool empty() const { return last < first; }
};
inline CellRange CellsOf(uint64_t address, uint64_t bytes) {
  if (bytes == 0) return {};
  uint64_t end = address + bytes - 1;
  if (end < address) end = ~uint64_t{0};
  return {address / kCellBytes, end / kCellBytes};
}

// Cells of one access. Unsound: of an access to more than 64 KiB, only the
// first 64 KiB count, since a damaged trace must not cost all memory and time.
inline constexpr uint64_t kMaxAccessBytes = uint64_t{1} << 16;
inline CellRange AccessedCells(uint64_t address, uint64_t bytes) {
  return CellsOf(address, bytes < kMaxAccessBytes ? bytes : kMaxAccessBytes);
}

template <typename Cell>
class Shadow {
 public:
  // The cell of this number; made when there is none. References hold until
  // the next Drop.
  Cell& At(uint64_t number) {
    return (*PageAt(number / kPageCells))[number % kPageCells];
  }

  // Null when nothing near it was ever touched.
  Cell* Find(uint64_t number) {
    Page* page = FindPage(number / kPageCells);
    return page == nullptr ? nullptr : &(*page)[number % kPageCells];
  }

  // Calls `visit(number, cell)` for every cell of the range that may hold
  // something. Skips what was never touched in steps of pages.
  template <typename Visit>
  void ForEach(CellRange range, Visit visit) {
    if (range.empty()) return;
    const uint64_t first_page = range.first / kPageCells;
    const uint64_t last_page = range.last / kPageCells;
    if (last_page - first_page < pages_.size()) {
      for (uint64_t number = first_page; number <= last_page; ++number) {
        if (Page* page = FindPage(number)) InPage(number, *page, range, visit);
      }
      return;
    }
    for (const auto& [number, page] : pages_) {
      if (number >= first_page && number <= last_page) {
        InPage(number, *page, range, visit);
      }
    }
  }

  // Gives back the pages that lie in the range whole. The cells of others are
  // the caller's to clear.
  void Drop(CellRange range) {
    if (range.empty() || range.last - range.first + 1 < kPageCells) return;
    const uint64_t first = (range.first + kPageCells - 1) / kPageCells;
    const uint64_t end = (range.last + 1) / kPageCells;
    if (end <= first) return;
    size_t num_dropped = 0;
    if (end - first < pages_.size()) {
      for (uint64_t page = first; page < end; ++page) {
        num_dropped += pages_.erase(page);
      }
    } else {
      num_dropped = std::erase_if(pages_, [&](const auto& entry) {
        return entry.first >= first && entry.first < end;
      });
    }
    if (num_dropped != 0) cache_.fill({});
  }

  size_t num_pages() const { return pages_.size(); }

 private:
  static constexpr uint64_t kPageCells = 512;
  static constexpr size_t kCacheEntries = 64;
  static constexpr uint64_t kNoPage = ~uint64_t{0};
  using Page = std::array<Cell, kPageCells>;
  struct Cached {
    uint64_t number = kNoPage;
    Page* page = nullptr;
  };

  template <typename Visit>
  static void InPage(uint64_t number, Page& page, CellRange range,
                     Visit& visit) {
    const uint64_t base = number * kPageCells;
    const uint64_t from = base < range.first ? range.first - base : 0;
    uint64_t to = range.last - base;
    if (to >= kPageCells) to = kPageCells - 1;
    for (uint64_t i = from; i <= to; ++i) visit(base + i, page[i]);
  }

  Page* FindPage(uint64_t number) {
    Cached& cached = cache_[number % kCacheEntries];
    if (cached.number == number) return cached.page;
    const auto found = pages_.find(number);
    if (found == pages_.end()) return nullptr;
    cached = {number, found->second.get()};
    return cached.page;
  }

  Page* PageAt(uint64_t number) {
    Cached& cached = cache_[number % kCacheEntries];
    if (cached.number == number) return cached.page;
    std::unique_ptr<Page>& page = pages_[number];
    if (page == nullptr) page = std::make_unique<Page>();
    cached = {number, page.get()};
    return cached.page;
  }

  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;
  std::array<Cached, kCacheEntries> cache_;
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_SHADOW_H_
