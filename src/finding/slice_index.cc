#include "finding/slice_index.h"

#include <algorithm>
#include <iterator>

#include "trace/access.h"
#include "trace/kinds.h"

namespace fairlead::finding {
namespace {

using trace::Event;
using trace::EventGroup;
using trace::EventKind;
using trace::Tid;

constexpr uint64_t kWord = 8;  // bytes; a larger access is a range
// Ranges that are compared one by one: the last ones.
constexpr size_t kMaxRanges = 20'000;
// Interruptions that are told apart: there is no room for more in any table.
constexpr size_t kMaxBetween = 64;

bool Overlap(const Event& event, uint64_t address, uint64_t size) {
  const uint64_t bytes = std::max<uint64_t>(event.size, 1);
  return event.address < address + size && address < event.address + bytes;
}

}  // namespace

SliceIndex::SliceIndex(const trace::Trace& whole)
    : events_(whole.events),
      actors_(ActorsOf(whole.events)),
      calls_(whole.events.size()),
      channels_(whole.events.size()),
      regions_(whole.events.size()) {
  std::map<Tid, uint32_t> region;
  for (const auto& [number, module] : whole.names.modules) {
    if (!module.program && !module.instrumented) {
      others_[module.base] = module.size;
    }
  }
  for (size_t i = 0; i < events_.size(); ++i) {
    const Event& event = events_[i];
    if (event.kind == EventKind::kFork && event.value < abi::kMaxThreads) {
      made_.try_emplace(Tid{static_cast<uint16_t>(event.value)}, i);
    }
    if (trace::GroupOf(event.kind) == EventGroup::kSync &&
        event.kind != EventKind::kYield) {
      ++region[event.tid];
    }
    regions_[i] = region[event.tid];
    if (trace::GroupOf(event.kind) == EventGroup::kFile) AddChannel(i);
    if (!trace::IsAccess(event) || IsOthersData(event.address)) continue;
    const bool library = event.has(abi::kFlagLibrary);
    if (library) {
      // What libraries do of their own accord says nothing to people.
      const auto origin = whole.names.OriginOf(event);
      if (!origin) continue;
      AddCall(i, origin->node);
    }
    if (event.size > kWord) {
      ranges_.push_back(i);
    } else {
      (library ? library_ : own_)[event.address].push_back(i);
    }
  }
  if (ranges_.size() > kMaxRanges) {
    ranges_.erase(ranges_.begin(), ranges_.end() - kMaxRanges);
  }
}

void SliceIndex::AddCall(size_t index, uint32_t node) {
  const bool same = index > 0 && num_calls_ != 0 &&
                    events_[index - 1].tid == events_[index].tid &&
                    calls_[index - 1] != 0 && last_node_ == node;
  calls_[index] = same ? num_calls_ : ++num_calls_;
  last_node_ = node;
}

void SliceIndex::AddChannel(size_t index) {
  constexpr uint64_t kStandard = 2;  // descriptors up to here are nobody's own
  const Event& event = events_[index];
  if (event.value <= kStandard) return;
  if (event.kind == EventKind::kOpen) {
    const auto opened_here = [&](size_t i) {
      return events_[i].kind == EventKind::kOpen &&
             events_[i].tid == event.tid && events_[i].site == event.site &&
             events_[i].node == event.node;
    };
    // The second of two; a loop may open more.
    const bool pair =
        index > 0 && opened_here(index - 1) &&
        (index == 1 || channels_[index - 2] != channels_[index - 1]);
    channel_of_[event.value] = pair ? channels_[index - 1] : ++num_channels_;
  }
  uint32_t& channel = channel_of_[event.value];
  if (channel == 0) channel = ++num_channels_;
  channels_[index] = channel;
  if (event.kind == EventKind::kClose) channel_of_.erase(event.value);
}

// A stream of the C library, say: everybody reads where it is.
bool SliceIndex::IsOthersData(uint64_t address) const {
  const auto after = others_.upper_bound(address);
  if (after == others_.begin()) return false;
  const auto& [base, size] = *std::prev(after);
  return address - base < size;
}

bool SliceIndex::Is(size_t index, By by) const {
  if (!trace::IsAccess(events_[index]) ||
      IsOthersData(events_[index].address)) {
    return false;
  }
  return by == By::kApplication ? !events_[index].has(abi::kFlagLibrary)
                                : calls_[index] != 0;
}

std::vector<size_t> SliceIndex::Touching(uint64_t address, uint64_t size,
                                         By by) const {
  std::vector<size_t> found;
  size = std::max<uint64_t>(size, 1);
  const uint64_t from = address < kWord ? 0 : address - (kWord - 1);
  const Accesses& accesses = Of(by);
  for (auto each = accesses.lower_bound(from);
       each != accesses.end() && each->first - from < size + kWord - 1;
       ++each) {
    std::ranges::copy_if(
        each->second, std::back_inserter(found),
        [&](size_t i) { return Overlap(events_[i], address, size); });
  }
  std::ranges::copy_if(ranges_, std::back_inserter(found), [&](size_t i) {
    return Is(i, by) && Overlap(events_[i], address, size);
  });
  std::ranges::sort(found);
  return found;
}

bool SliceIndex::IsPrepared(size_t before, size_t after) const {
  Tid tid = events_[after].tid;
  for (auto made = made_.find(tid); made != made_.end();
       made = made_.find(tid)) {
    // A thread is made by an older one, so this ends; but events are untrusted.
    if (made->second >= after) return false;
    tid = events_[made->second].tid;
    after = made->second;
    if (tid == events_[before].tid) return before < after;
  }
  return false;
}

std::optional<size_t> SliceIndex::PartnerOf(const std::vector<size_t>& accesses,
                                            size_t k) const {
  const Event& event = events_[accesses[k]];
  const bool writes = trace::Writes(event);
  for (size_t j = k; j-- > 0;) {
    const Event& before = events_[accesses[j]];
    if (ActorOf(accesses[j]) == ActorOf(accesses[k])) {
      if (trace::Writes(before) || !writes) return {};
    } else if (trace::Writes(before) || writes) {
      if (IsPrepared(accesses[j], accesses[k])) return {};
      return j;
    }
  }
  return {};
}

std::vector<uint64_t> SliceIndex::LatestShared(By by) const {
  std::vector<std::pair<size_t, uint64_t>> latest;
  for (const auto& [address, accesses] : Of(by)) {
    for (size_t k = accesses.size(); k-- > 1;) {
      if (!PartnerOf(accesses, k)) continue;
      latest.emplace_back(accesses[k], address);
      break;
    }
  }
  std::ranges::sort(latest, std::greater<>());
  std::vector<uint64_t> addresses;
  for (const auto& [index, address] : latest) addresses.push_back(address);
  return addresses;
}

std::vector<size_t> SliceIndex::LatestTurns() const {
  const auto is_made = [&](size_t i) { return made_.contains(events_[i].tid); };
  std::vector<size_t> latest;
  for (const auto& [address, all] : own_) {
    // The one that made them all has prepared it, and reads the result.
    std::vector<size_t> accesses;
    std::ranges::copy_if(all, std::back_inserter(accesses), is_made);
    if (std::ranges::any_of(
            accesses, [&](size_t i) { return trace::Writes(events_[i]); })) {
      continue;
    }
    for (size_t k = accesses.size(); k-- > 2;) {
      const Event& last = events_[accesses[k]];
      size_t j = k - 1;  // the thread's own before it
      while (j > 0 && events_[accesses[j]].tid != last.tid) --j;
      if (j + 1 == k || events_[accesses[j]].tid != last.tid ||
          events_[accesses[j]].site >= last.site) {
        continue;  // sites ascend within one pass over the code
      }
      if (!latest.empty() && latest.back() > accesses[k]) break;
      latest.assign(accesses.begin() + static_cast<ptrdiff_t>(j),
                    accesses.begin() + static_cast<ptrdiff_t>(k) + 1);
      break;
    }
  }
  return latest;
}

// Whether another actor's access falls between the k-th access and the one
// that its own actor made there before, so that no serial order gives the same
// (Lu, Tucek, Qin, Zhou, ASPLOS 2006, have the four cases). A lost update is
// one whatever lies between; the others only where the actor itself did not
// let others in.
std::optional<SliceIndex::Between> SliceIndex::InterruptionAt(
    const std::vector<size_t>& accesses, size_t k) const {
  const Event& second = events_[accesses[k]];
  std::optional<size_t> write, read;  // of others, the latest
  for (size_t j = k; j-- > 0;) {
    const Event& before = events_[accesses[j]];
    if (ActorOf(accesses[j]) != ActorOf(accesses[k])) {
      std::optional<size_t>& seen = trace::Writes(before) ? write : read;
      if (!seen) seen = accesses[j];
      continue;
    }
    // What it did before it made the other is no step that may be interrupted.
    if (write && IsPrepared(accesses[j], *write)) write.reset();
    if (read && IsPrepared(accesses[j], *read)) read.reset();
    const bool blind = trace::Writes(second) && !second.old_value;
    Between between = {.first = accesses[j], .second = accesses[k]};
    if (!trace::Writes(before) && blind && write) {
      between.other = *write;
      return between;
    }
    between.rank = Rank::kInterrupted;
    if (regions_[accesses[j]] != regions_[accesses[k]]) {
      if (!write) return {};
      between.other = *write;
      return OvertakenAt(accesses, k, between);
    }
    if (trace::Writes(before) && !trace::Writes(second) && write) {
      between.other = *write;
      return between;
    }
    if (trace::Writes(before) && blind && read) {
      between.other = *read;
      return between;
    }
    // One that looks again and again at the same place waits for a change.
    if (!trace::Writes(before) && !trace::Writes(second) && write &&
        before.site != second.site) {
      between.other = *write;
      return between;
    }
    return {};
  }
  return {};
}

// Whether what the actor does at the k-th access, in a later region, may follow
// from what it had seen at `between.first`: it looks again at another place
// only to write, or adds to what is there.
std::optional<SliceIndex::Between> SliceIndex::OvertakenAt(
    const std::vector<size_t>& accesses, size_t k, Between between) const {
  const Event& first = events_[between.first];
  const Event& second = events_[between.second];
  if (trace::Writes(first) ||
      (first.site == second.site && first.node == second.node)) {
    return {};
  }
  between.rank = Rank::kOvertaken;
  if (second.kind == EventKind::kRmw) return between;
  if (trace::Writes(second)) return {};
  for (size_t j = k + 1; j < accesses.size(); ++j) {
    if (ActorOf(accesses[j]) != ActorOf(accesses[k])) continue;
    if (regions_[accesses[j]] != regions_[accesses[k]]) return {};
    if (trace::Writes(events_[accesses[j]])) return between;
  }
  return {};
}

namespace {

void SortByRank(std::vector<SliceIndex::Between>& all) {
  std::ranges::sort(all, [](const auto& a, const auto& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.second > b.second;
  });
}

}  // namespace

std::vector<SliceIndex::Between> SliceIndex::InterruptionsAmong(
    const std::vector<size_t>& accesses) const {
  std::vector<Between> all;
  for (size_t k = accesses.size(); k-- > 1 && all.size() < kMaxBetween;) {
    if (const auto between = InterruptionAt(accesses, k)) {
      all.push_back(*between);
    }
  }
  SortByRank(all);
  return all;
}

std::vector<SliceIndex::Between> SliceIndex::Interruptions(By by) const {
  std::vector<Between> all;
  for (const auto& [address, accesses] : Of(by)) {
    std::ranges::copy(InterruptionsAmong(accesses), std::back_inserter(all));
  }
  SortByRank(all);
  if (all.size() > kMaxBetween) all.resize(kMaxBetween);
  return all;
}

}  // namespace fairlead::finding
