#include "finding/slice_failed.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "trace/kinds.h"

namespace fairlead::finding {
namespace {

std::string_view FileName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

bool IsAt(const trace::Place& place, const trace::Place& wanted) {
  return place.line == wanted.line &&
         FileName(place.file) == FileName(wanted.file);
}

// Whether the event happened at that place, or in a call that was made there.
bool HappenedAt(const trace::Event& event, const trace::Names& names,
                const trace::Place& wanted) {
  const trace::Place* own = names.PlaceOf(event);
  if (own != nullptr && IsAt(*own, wanted)) return true;
  for (auto node = names.nodes.find(event.node); node != names.nodes.end();
       node = names.nodes.find(node->second.parent)) {
    const auto site = names.sites.find(node->second.site);
    if (site != names.sites.end() && IsAt(site->second.place, wanted)) {
      return true;
    }
    if (node->second.parent >= node->first) return false;  // untrusted
  }
  return false;
}

}  // namespace

std::optional<trace::Trace> UpToFailure(const trace::Trace& whole,
                                        const trace::Place& failed_at) {
  if (failed_at.file.empty() || failed_at.line == 0) return {};
  for (size_t i = whole.events.size(); i-- > 0;) {
    if (!HappenedAt(whole.events[i], whole.names, failed_at)) continue;
    trace::Trace part;
    part.events.assign(whole.events.begin(),
                       whole.events.begin() + static_cast<ptrdiff_t>(i) + 1);
    part.names = whole.names;
    return part;
  }
  return {};
}

bool TellsTheEnd(const trace::Event& event) {
  return trace::GroupOf(event.kind) == trace::EventGroup::kFault &&
         event.kind != trace::EventKind::kThrow;
}

std::optional<trace::Trace> UpToMisuse(const trace::Trace& whole,
                                       const std::set<uint64_t>& touched) {
  const auto misuse =
      std::ranges::find_if(whole.events, [&](const auto& event) {
        return event.kind == trace::EventKind::kMisuse &&
               touched.contains(event.address);
      });
  if (misuse == whole.events.end()) return {};
  const auto end = std::min(misuse + 2, whole.events.end());
  trace::Trace part;
  part.events.assign(whole.events.begin(), end);
  std::copy_if(end, whole.events.end(), std::back_inserter(part.events),
               TellsTheEnd);
  part.names = whole.names;
  return part;
}

}  // namespace fairlead::finding
