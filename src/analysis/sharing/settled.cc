#include "analysis/sharing/settled.h"

#include <algorithm>
#include <set>

namespace fairlead::analysis {
namespace {

// Of those that touch locations together, keeps the ones among which somebody
// is busy.
void KeepBusy(std::set<uint32_t>& settled,
              const std::vector<std::vector<uint32_t>>& sets,
              const Walks& walks) {
  std::set<uint32_t> busy;
  for (const uint32_t site : settled) {
    if (walks.IsBusy(site)) busy.insert(site);
  }
  const auto is_busy = [&](uint32_t site) { return busy.contains(site); };
  size_t before = 0;
  do {
    before = busy.size();
    for (const std::vector<uint32_t>& set : sets) {
      if (!std::ranges::any_of(set, is_busy)) continue;
      for (const uint32_t site : set) busy.insert(site);
    }
  } while (busy.size() != before);
  std::erase_if(settled, [&](uint32_t site) { return !busy.contains(site); });
}

}  // namespace

std::vector<uint32_t> SettledSites(Sharing& sharing, const Sharing& locked,
                                   const Progress& progress,
                                   const Walks& walks) {
  const std::vector<uint32_t> shared = sharing.SharedSites();
  const auto is_shared = [&](uint32_t site) {
    return std::ranges::binary_search(shared, site);
  };
  std::set<uint32_t> settled;
  for (const uint32_t site : sharing.OrderedSites()) settled.insert(site);
  for (const auto& sites : {locked.OrderedPlainSites(), walks.all()}) {
    for (const uint32_t site : sites) {
      if (is_shared(site)) settled.insert(site);
    }
  }
  const auto is_settled = [&](uint32_t site) { return settled.contains(site); };
  const std::vector<std::vector<uint32_t>> sets = sharing.SharedSets();
  size_t before = 0;
  do {
    before = settled.size();
    for (const std::vector<uint32_t>& set : sets) {
      if (std::ranges::all_of(set, is_settled)) continue;
      for (const uint32_t site : set) settled.erase(site);
    }
    KeepBusy(settled, sets, walks);
    for (const auto& [read, write] : progress.pairs()) {
      if (is_shared(read) && !is_settled(read)) settled.erase(write);
    }
  } while (settled.size() != before);
  return {settled.begin(), settled.end()};
}

}  // namespace fairlead::analysis
