#include "explore/aim/seen_index.h"

#include <algorithm>

namespace fairlead::explore {

SeenIndex::SeenIndex(const std::vector<SeenEvent>& events) : events_(events) {
  passes_.resize(events.size());
  for (uint32_t i = 0; i < events.size(); ++i) {
    const SeenEvent& event = events[i];
    first_.try_emplace(std::pair(event.anchor, event.operation), i);
    if (!event.reads) continue;
    std::vector<uint32_t>& reads = reads_[std::pair(event.tid, event.anchor)];
    passes_[i] = static_cast<uint32_t>(reads.size());
    reads.push_back(i);
  }
  CutMemory();
  AddWrites();
}

void SeenIndex::CutMemory() {
  for (const SeenEvent& event : events_) {
    if ((!event.reads && !event.writes) || event.size == 0) continue;
    bounds_.push_back(event.address);
    bounds_.push_back(event.address + event.size);
  }
  std::ranges::sort(bounds_);
  const auto twice = std::ranges::unique(bounds_);
  bounds_.erase(twice.begin(), twice.end());
}

SeenIndex::Range SeenIndex::SegmentsOf(const SeenEvent& event) const {
  const auto from = std::ranges::lower_bound(bounds_, event.address);
  const auto first = static_cast<size_t>(from - bounds_.begin());
  size_t end = first;
  while (end < bounds_.size() && end - first < kMaxSegments &&
         bounds_[end] - event.address < event.size) {
    ++end;
  }
  return {first, end};
}

void SeenIndex::AddWrites() {
  first_write_.assign(bounds_.size() + 1, 0);
  const auto each_segment = [&](const auto& use) {
    for (uint32_t i = 0; i < events_.size(); ++i) {
      if (!events_[i].writes) continue;
      const Range segments = SegmentsOf(events_[i]);
      for (size_t s = segments.first; s < segments.end; ++s) use(s, i);
    }
  };
  each_segment([&](size_t segment, uint32_t) { ++first_write_[segment + 1]; });
  for (size_t s = 0; s < bounds_.size(); ++s) {
    first_write_[s + 1] += first_write_[s];
  }
  writes_.resize(first_write_.back());
  std::vector<size_t> next(first_write_.begin(), first_write_.end());
  each_segment([&](size_t segment, uint32_t event) {
    writes_[next[segment]++] = {event, kNone};
  });
  for (size_t s = 0; s < bounds_.size(); ++s) {
    const Range range = WritesOf(s);
    for (size_t i = range.end; i-- > range.first;) {
      if (i + 1 == range.end) continue;
      const bool other =
          events_[writes_[i + 1].event].tid != events_[writes_[i].event].tid;
      writes_[i].next_other =
          other ? static_cast<uint32_t>(i + 1) : writes_[i + 1].next_other;
    }
  }
}

std::optional<size_t> SeenIndex::First(uint64_t anchor,
                                       finding::Operation op) const {
  const auto found = first_.find(std::pair(anchor, op));
  if (found == first_.end()) return {};
  return found->second;
}

std::optional<size_t> SeenIndex::ReadAt(trace::Tid tid, uint64_t anchor,
                                        size_t pass) const {
  const auto found = reads_.find(std::pair(tid, anchor));
  if (found == reads_.end() || pass >= found->second.size()) return {};
  return found->second[pass];
}

size_t SeenIndex::FirstFrom(size_t segment, size_t event) const {
  const Range range = WritesOf(segment);
  const auto found = std::lower_bound(
      writes_.begin() + static_cast<std::ptrdiff_t>(range.first),
      writes_.begin() + static_cast<std::ptrdiff_t>(range.end), event,
      [](const Write& write, size_t at) { return write.event < at; });
  return static_cast<size_t>(found - writes_.begin());
}

std::optional<size_t> SeenIndex::WriterOf(size_t event) const {
  std::optional<size_t> writer;
  const Range segments = SegmentsOf(events_[event]);
  for (size_t s = segments.first; s < segments.end; ++s) {
    const size_t from = FirstFrom(s, event);
    if (from == WritesOf(s).first) continue;
    const size_t before = writes_[from - 1].event;
    if (!writer || before > *writer) writer = before;
  }
  return writer;
}

std::optional<size_t> SeenIndex::NextWriter(size_t event) const {
  std::optional<size_t> next;
  const Range segments = SegmentsOf(events_[event]);
  for (size_t s = segments.first; s < segments.end; ++s) {
    size_t at = FirstFrom(s, event + 1);
    if (at == WritesOf(s).end) continue;
    if (events_[writes_[at].event].tid == events_[event].tid) {
      at = writes_[at].next_other;
      if (at == kNone) continue;
    }
    const size_t found = writes_[at].event;
    if (!next || found < *next) next = found;
  }
  return next;
}

}  // namespace fairlead::explore
