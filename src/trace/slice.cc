#include "trace/slice.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "trace/access.h"
#include "trace/kinds.h"

namespace fairlead::trace {
namespace {

constexpr std::array<std::string_view, 12> kGroups = {
    "access", "sync",    "wake",  "thread",  "memory", "file",
    "fault",  "outside", "frame", "request", "mark",   "extension"};

Error Wrong(std::string_view what, std::string_view text) {
  return Error(ErrorCode::kUsage).Say("{}: '{}'", what, text);
}

// "a..b", "a..", "..b", "a"; both ends inclusive.
std::optional<std::pair<uint64_t, uint64_t>> ParseRange(std::string_view text) {
  const size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    const auto number = ParseNumber(text);
    if (!number) return {};
    return std::pair(*number, *number);
  }
  const std::string_view low = text.substr(0, dots);
  const std::string_view high = text.substr(dots + 2);
  const auto first = low.empty() ? uint64_t{0} : ParseNumber(low);
  const auto last = high.empty() ? ~uint64_t{0} : ParseNumber(high);
  if (!first || !last || *first > *last) return {};
  return std::pair(*first, *last);
}

bool AddKinds(std::string_view word, std::set<EventKind>& kinds) {
  const auto group = std::ranges::find(kGroups, word);
  if (group != kGroups.end()) {
    const auto wanted = static_cast<EventGroup>(group - kGroups.begin());
    for (const KindEntry& entry : Kinds()) {
      if (entry.group == wanted) kinds.insert(entry.kind);
    }
    return true;
  }
  const KindEntry* entry = FindKind(word);
  if (entry == nullptr) return false;
  kinds.insert(entry->kind);
  return true;
}

std::optional<std::pair<uint64_t, uint64_t>> FindObject(std::string_view text,
                                                        const Names& names) {
  for (const auto& [address, object] : names.objects) {
    if (object.name != text) continue;
    return std::pair(address, address + std::max<uint64_t>(object.size, 1));
  }
  auto range = ParseRange(text);
  if (range && range->second != ~uint64_t{0}) ++range->second;
  return range;
}

}  // namespace

bool Selection::Keeps(const Event& event) const {
  if (event.seq < first_seq || event.seq > last_seq) return false;
  if (!tids.empty() && !tids.contains(event.tid)) return false;
  if (!kinds.empty() && !kinds.contains(event.kind)) return false;
  if (ranges.empty()) return true;
  const uint64_t size = std::max<uint64_t>(event.size, 1);
  return std::ranges::any_of(ranges, [&](const auto& range) {
    return event.address < range.second &&
           (event.address >= range.first || range.first - event.address < size);
  });
}

Result<Selection> ParseSelection(const SelectionText& text,
                                 const Names& names) {
  Selection selection;
  if (!text.events.empty()) {
    const auto range = ParseRange(text.events);
    if (!range) return Wrong("no range of events (first..last)", text.events);
    selection.first_seq = range->first;
    selection.last_seq = range->second;
  }
  for (const std::string& thread : text.threads) {
    const std::optional<Tid> tid = names.FindThread(thread);
    if (!tid) return Wrong("the trace has no thread", thread);
    selection.tids.insert(*tid);
  }
  for (const std::string& kind : text.kinds) {
    if (!AddKinds(kind, selection.kinds)) {
      return Wrong("no kind or group of events", kind);
    }
  }
  for (const std::string& object : text.objects) {
    const auto range = FindObject(object, names);
    if (!range) return Wrong("the trace has no object", object);
    selection.ranges.push_back(*range);
  }
  return selection;
}

Names NamesFor(const std::vector<Event>& events, const Names& names) {
  Names kept;
  kept.modules = names.modules;
  kept.threads = names.threads;
  const auto keep_node = [&](uint32_t node) {
    for (auto it = names.nodes.find(node);
         it != names.nodes.end() && !kept.nodes.contains(node);
         it = names.nodes.find(node)) {
      kept.nodes.insert(*it);
      if (const auto site = names.sites.find(it->second.site);
          site != names.sites.end()) {
        kept.sites.insert(*site);
      }
      node = it->second.parent;
    }
  };
  const auto keep_object = [&](uint64_t address) {
    const auto after = names.objects.upper_bound(address);
    if (after == names.objects.begin()) return;
    const auto& object = *std::prev(after);
    if (address - object.first < std::max<uint64_t>(object.second.size, 1)) {
      kept.objects.insert(object);
    }
  };
  for (const Event& event : events) {
    keep_node(event.node);
    keep_object(event.address);
    if (IsAccess(event)) keep_object(event.value);
    if (event.partner) keep_object(event.partner->object);
    if (event.instrumented()) {
      const auto site = names.sites.find(event.site);
      if (site != names.sites.end()) kept.sites.insert(*site);
    } else if (const auto caller = names.callers.find(event.site);
               caller != names.callers.end()) {
      kept.callers.insert(*caller);
    }
  }
  return kept;
}

}  // namespace fairlead::trace
