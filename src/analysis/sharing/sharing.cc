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

void AddOnce(std::vector<uint32_t>& list, uint32_t value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) {
    list.push_back(value);
  }
}

}  // namespace

void Sharing::OnEvent(const Event& event) {
  if (trace::GroupOf(event.kind) == trace::EventGroup::kAccess) {
    if (event.kind != EventKind::kFence && event.instrumented()) {
      OnAccess(event, Writes(event));
      return;
    }
  }
  Set(nodes_, event.node);
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

void Sharing::OnAccess(const Event& event, bool writes) {
  Set(seen_, event.site);
  if (event.site >= site_nodes_.size()) site_nodes_.resize(event.site + 1);
  AddOnce(site_nodes_[event.site], event.node);
  if (!threaded_ || event.size == 0) return;
  const uint64_t first = event.address / kCellBytes;
  const uint64_t last = (event.address + event.size - 1) / kCellBytes;
  for (uint64_t number = first; number <= last; ++number) {
    Touch(CellAt(number), event, writes);
  }
}

void Sharing::Touch(Cell& cell, const Event& event, bool writes) {
  switch (cell.state) {
    case State::kFresh:
      cell.state = State::kOwned;
      cell.owner = event.tid;
      cell.written = writes;
      Remember(cell, event.site);
      return;
    case State::kOwned:
      if (cell.owner == event.tid) {
        cell.written |= writes;
        Remember(cell, event.site);
      } else if (cell.written || writes) {
        BecomeShared(cell, event.site);
      } else {
        cell.state = State::kRead;
        Remember(cell, event.site);
      }
      return;
    case State::kRead:
      if (writes) {
        BecomeShared(cell, event.site);
      } else {
        Remember(cell, event.site);
      }
      return;
    case State::kShared:
      Set(shared_, event.site);
      return;
  }
}

void Sharing::Remember(Cell& cell, uint32_t site) {
  if (cell.sites == 0) {
    if (free_lists_.empty()) {
      cell.sites = static_cast<uint32_t>(site_lists_.size());
      site_lists_.emplace_back();
    } else {
      cell.sites = free_lists_.back();
      free_lists_.pop_back();
    }
  }
  AddOnce(site_lists_[cell.sites], site);
}

void Sharing::BecomeShared(Cell& cell, uint32_t site) {
  Remember(cell, site);
  for (const uint32_t each : site_lists_[cell.sites]) Set(shared_, each);
  site_lists_[cell.sites].clear();
  free_lists_.push_back(cell.sites);
  cell = {.state = State::kShared};
}

void Sharing::Forget(const Event& event) {
  const uint64_t address = event.address;
  const uint64_t bytes = event.value;
  if (bytes == 0) return;
  const uint64_t end = (address + bytes + kCellBytes - 1) / kCellBytes;
  for (uint64_t number = address / kCellBytes; number < end;) {
    const auto page = pages_.find(number / kPageCells);
    if (page == pages_.end()) {  // nothing known up to the next page
      number = (number / kPageCells + 1) * kPageCells;
      continue;
    }
    Cell& cell = (*page->second)[number % kPageCells];
    if (cell.sites != 0) {
      // Giving memory back is a write to it: others may come too late.
      const bool others = cell.state == State::kRead || cell.owner != event.tid;
      for (const uint32_t site : site_lists_[cell.sites]) {
        if (others) Set(shared_, site);
      }
      site_lists_[cell.sites].clear();
      free_lists_.push_back(cell.sites);
    }
    cell = {};
    ++number;
  }
}

Sharing::Cell& Sharing::CellAt(uint64_t number) {
  const uint64_t page_number = number / kPageCells;
  if (page_number != last_page_number_) {
    std::unique_ptr<Page>& page = pages_[page_number];
    if (page == nullptr) page = std::make_unique<Page>();
    last_page_ = page.get();
    last_page_number_ = page_number;
  }
  return (*last_page_)[number % kPageCells];
}

std::vector<uint32_t> Sharing::SeenSites() const { return Members(seen_); }

std::vector<uint32_t> Sharing::SharedSites() const { return Members(shared_); }

std::vector<uint32_t> Sharing::UnsharedSites() const {
  std::vector<uint32_t> sites;
  for (const uint32_t site : SeenSites()) {
    if (!Has(shared_, site)) sites.push_back(site);
  }
  return sites;
}

std::vector<uint32_t> Sharing::NodesThatMatter() const {
  std::vector<bool> nodes = nodes_;
  for (const uint32_t site : SharedSites()) {
    for (const uint32_t node : site_nodes_[site]) Set(nodes, node);
  }
  return Members(nodes);
}

}  // namespace fairlead::analysis
