// explore/aim/seen_index.h
//
// Finds things in the events of an execution without going through all of them:
// the first event of a place, the n-th read of a thread there, who wrote what a
// read sees, and who writes it next. Made once for each execution that is asked
// about, in n log n; each question takes log n.
//
// Memory is cut where accesses begin or end, so that each access covers whole
// segments, nearly always one.
//
// Unsound: of an access that covers more than kMaxSegments (a copy of a block
// whose parts are accessed one by one) only the first ones count.

#ifndef FAIRLEAD_EXPLORE_AIM_SEEN_INDEX_H_
#define FAIRLEAD_EXPLORE_AIM_SEEN_INDEX_H_

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explore/aim/seen_event.h"

namespace fairlead::explore {

class SeenIndex {
 public:
  static constexpr size_t kMaxSegments = 64;

  // `events` must outlive it and stay as they are.
  explicit SeenIndex(const std::vector<SeenEvent>& events);

  // The first event of a place with that operation.
  std::optional<size_t> First(uint64_t anchor, finding::Operation op) const;

  // How many reads of its thread at its place came before this one.
  size_t PassOf(size_t read) const { return passes_[read]; }
  // The read of a thread at a place that has so many before it.
  std::optional<size_t> ReadAt(trace::Tid tid, uint64_t anchor,
                               size_t pass) const;

  // The last write to what `event` touches, ahead of it; or none.
  std::optional<size_t> WriterOf(size_t event) const;
  // The first write of another thread to it, behind.
  std::optional<size_t> NextWriter(size_t event) const;

 private:
  struct Write {
    uint32_t event;
    uint32_t next_other;  // behind it in its segment, by another thread; a
                          // position in writes_, kNone = none
  };
  static constexpr uint32_t kNone = ~uint32_t{0};

  struct Range {
    size_t first;
    size_t end;
  };
  Range SegmentsOf(const SeenEvent& event) const;
  Range WritesOf(size_t segment) const {
    return {first_write_[segment], first_write_[segment + 1]};
  }
  void CutMemory();
  void AddWrites();
  // In the writes of `segment`, the first that is not ahead of `event`.
  size_t FirstFrom(size_t segment, size_t event) const;

  const std::vector<SeenEvent>& events_;
  std::map<std::pair<uint64_t, finding::Operation>, uint32_t> first_;
  std::vector<uint32_t> passes_;  // by event; of reads
  std::map<std::pair<trace::Tid, uint64_t>, std::vector<uint32_t>> reads_;
  std::vector<uint64_t> bounds_;  // ascending; segment i begins at bounds_[i]
  std::vector<size_t> first_write_;  // by segment, and the end of the last
  std::vector<Write> writes_;        // by segment, in order
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_AIM_SEEN_INDEX_H_
