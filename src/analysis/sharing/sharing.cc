#include "analysis/sharing/sharing.h"

#include <algorithm>

#include "trace/access.h"
#include "trace/kinds.h"

namespace fairlead::analysis {
namespace {

using trace::Event;
using trace::EventKind;

void Set(std::vector<bool>& bits, uint32_t index) {
  if (index >= bits.size()) bits.resize(index + 1);
  bits[index] = true;
}

bool Has(const std::vector<bool>& bits, uint32_t index) {
  return index < bits.size() && bits[index];
}

std::vector<uint32_t> Members(const std::vector<bool>& bits) {
  std::vector<uint32_t> members;
  for (uint32_t i = 0; i < bits.size(); ++i) {
    if (bits[i]) members.push_back(i);
  }
  return members;
}

// Of a site, so many contexts are gone through; more are looked up.
constexpr size_t kFewNodes = 8;

}  // namespace

void Sharing::OnEvent(const Event& event) {
  if (trace::GroupOf(event.kind) == trace::EventGroup::kAccess) {
    if (event.kind != EventKind::kFence && event.instrumented()) {
      OnAccess(event, Writes(event));
      return;
    }
  }
  Set(nodes_, event.node);
  if (abi::Index(event.tid) < abi::kMaxThreads) order_->OnEvent(event);
  switch (event.kind) {
    case EventKind::kFork:
      threaded_ = true;
      return;
    case EventKind::kFree:
    case EventKind::kUnmap:
      Forget(event);
      return;
    default:
      return;
  }
}

void Sharing::AddNode(uint32_t site, uint32_t node) {
  std::vector<uint32_t>& nodes = site_nodes_[site];
  const auto few = nodes.begin() + static_cast<std::ptrdiff_t>(
                                       std::min(nodes.size(), kFewNodes));
  if (std::find(nodes.begin(), few, node) != few) return;
  if (nodes.size() >= kFewNodes &&
      !more_nodes_.insert(uint64_t{site} << 32 | node).second) {
    return;
  }
  nodes.push_back(node);
}

void Sharing::OnAccess(const Event& event, bool writes) {
  Set(seen_, event.site);
  if (event.kind != EventKind::kRead && event.kind != EventKind::kWrite) {
    Set(atomic_, event.site);
  }
  if (event.site >= site_nodes_.size()) site_nodes_.resize(event.site + 1);
  AddNode(event.site, event.node);
  if (!threaded_) return;
  Set(threaded_seen_, event.site);
  const auto split = [&](Cell& cell, Cell& rest) {
    if (cell.readers == 0) return;
    rest.readers = NewReaders();
    reader_lists_[rest.readers] = reader_lists_[cell.readers];
  };
  // In pieces that variables take as a whole.
  for (uint64_t done = 0; done < event.size; done += order::kMaxAccessBytes) {
    memory_.Touch(
        event.address + done,
        std::min(event.size - done, order::kMaxAccessBytes),
        [&](uint64_t, Cell& cell) { Touch(cell, event, writes); }, split);
  }
}

void Sharing::Touch(Cell& cell, const Event& event, bool writes) {
  cell.sites = sets_.Add(cell.sites, event.site);
  if (!cell.concurrent) Order(cell, event, writes);
  if (cell.concurrent) Set(concurrent_, event.site);
  switch (cell.state) {
    case State::kFresh:
      cell.state = State::kOwned;
      cell.owner = event.tid;
      cell.written = writes;
      return;
    case State::kOwned:
      if (cell.owner == event.tid) {
        cell.written |= writes;
      } else if (cell.written || writes) {
        BecomeShared(cell);
      } else {
        cell.state = State::kRead;
      }
      return;
    case State::kRead:
      if (writes) BecomeShared(cell);
      return;
    case State::kShared:
      Set(shared_, event.site);
      return;
  }
}

void Sharing::BecomeShared(Cell& cell) {
  for (const uint32_t each : sets_.Members(cell.sites)) Set(shared_, each);
  cell.state = State::kShared;
}

// Whether an access by who has `clock` conflicts with one that is not ordered
// before it.
bool Sharing::IsConcurrent(const Cell& cell, const order::VectorClock& clock,
                           bool writes) const {
  if (!clock.Covers(cell.written_at)) return true;
  if (!writes) return false;
  if (!clock.Covers(cell.read_at)) return true;
  return std::ranges::any_of(
      reader_lists_[cell.readers],
      [&](order::Epoch epoch) { return !clock.Covers(epoch); });
}

void Sharing::Order(Cell& cell, const Event& event, bool writes) {
  const order::VectorClock& clock = order_->order().ClockOf(event.tid);
  if (IsConcurrent(cell, clock, writes)) {
    cell.concurrent = true;
    for (const uint32_t each : sets_.Members(cell.sites)) {
      Set(concurrent_, each);
      // A set that was seen before the location was shared is so now.
      Set(shared_, each);
    }
    DropReaders(cell);
    return;
  }
  const order::Epoch epoch(event.tid, clock.Of(event.tid));
  if (writes) {
    cell.written_at = epoch;
    cell.read_at = {};
    DropReaders(cell);
  } else {
    AddReader(cell, epoch, clock);
  }
}

void Sharing::AddReader(Cell& cell, order::Epoch epoch,
                        const order::VectorClock& clock) {
  // Whatever is ordered behind this read is ordered behind a read before it.
  if (clock.Covers(cell.read_at)) {
    cell.read_at = epoch;
    return;
  }
  if (cell.readers == 0) cell.readers = NewReaders();
  for (order::Epoch& each : reader_lists_[cell.readers]) {
    if (!clock.Covers(each)) continue;
    each = epoch;
    return;
  }
  reader_lists_[cell.readers].push_back(epoch);
}

// An empty list.
uint32_t Sharing::NewReaders() {
  if (free_readers_.empty()) {
    reader_lists_.emplace_back();
    return static_cast<uint32_t>(reader_lists_.size() - 1);
  }
  const uint32_t list = free_readers_.back();
  free_readers_.pop_back();
  return list;
}

void Sharing::DropReaders(Cell& cell) {
  if (cell.readers == 0) return;
  reader_lists_[cell.readers].clear();
  free_readers_.push_back(cell.readers);
  cell.readers = 0;
}

void Sharing::Forget(const Event& event) {
  if (event.value == 0) return;
  memory_.Forget(
      event.address, event.value,
      [&](uint64_t, Cell& cell) { Forget(cell, event.tid); },
      [&](Cell& cell) { DropReaders(cell); });
}

void Sharing::Forget(Cell& cell, trace::Tid tid) {
  if (cell.state == State::kShared) Set(ended_sets_, cell.sites);
  if (cell.state == State::kFresh || cell.concurrent) return;
  // Giving memory back is a write to it: others may come too late.
  const bool others = cell.state == State::kRead || cell.owner != tid;
  const bool late = IsConcurrent(cell, order_->order().ClockOf(tid), true);
  if (!others && !late) return;
  for (const uint32_t site : sets_.Members(cell.sites)) {
    Set(shared_, site);
    if (late) Set(concurrent_, site);
  }
}

std::vector<uint32_t> Sharing::SeenSites() const { return Members(seen_); }

bool Sharing::SeenThreaded(uint32_t site) const {
  return Has(threaded_seen_, site);
}

std::vector<uint32_t> Sharing::SharedSites() const { return Members(shared_); }

std::vector<uint32_t> Sharing::UnsharedSites() const {
  std::vector<uint32_t> sites;
  for (const uint32_t site : SeenSites()) {
    if (!Has(shared_, site)) sites.push_back(site);
  }
  return sites;
}

std::vector<uint32_t> Sharing::OrderedSites() const {
  std::vector<uint32_t> sites;
  for (const uint32_t site : SharedSites()) {
    if (!Has(concurrent_, site)) sites.push_back(site);
  }
  return sites;
}

std::vector<uint32_t> Sharing::OrderedPlainSites() const {
  std::vector<uint32_t> sites = OrderedSites();
  std::erase_if(sites, [&](uint32_t site) { return Has(atomic_, site); });
  return sites;
}

std::vector<std::vector<uint32_t>> Sharing::SharedSets() {
  std::vector<bool> numbers = ended_sets_;
  memory_.ForEach([&](uint64_t, const Cell& cell) {
    if (cell.state == State::kShared) Set(numbers, cell.sites);
  });
  std::vector<std::vector<uint32_t>> sets;
  for (const uint32_t number : Members(numbers)) {
    sets.push_back(sets_.Members(number));
  }
  return sets;
}

std::vector<uint32_t> Sharing::NodesThatMatter() const {
  std::vector<bool> nodes = nodes_;
  for (const uint32_t site : SharedSites()) {
    for (const uint32_t node : site_nodes_[site]) Set(nodes, node);
  }
  return Members(nodes);
}

}  // namespace fairlead::analysis
