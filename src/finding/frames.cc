#include "finding/frames.h"

namespace fairlead::finding {
namespace {

using trace::Event;
using trace::Names;
using trace::SiteName;

// Of a calling context: more is a recursion, or damage.
constexpr size_t kMaxFrames = 64;

void Add(const SiteName& site, uint32_t node, std::vector<Frame>& frames) {
  if (site.library || site.place.line == 0) return;
  frames.push_back(
      {.node = node, .function = site.function, .place = site.place});
}

}  // namespace

std::vector<Frame> FramesOf(const Event& event, const Names& names) {
  std::vector<Frame> frames;
  if (event.instrumented()) {
    const auto own = names.sites.find(event.site);
    if (own != names.sites.end()) Add(own->second, event.node, frames);
  } else if (const trace::Place* place = names.PlaceOf(event)) {
    if (place->line != 0) {
      frames.push_back({.node = event.node,
                        .function = names.FunctionOf(event),
                        .place = *place});
    }
  }
  for (auto node = names.nodes.find(event.node);
       node != names.nodes.end() && frames.size() < kMaxFrames;
       node = names.nodes.find(node->second.parent)) {
    const auto call = names.sites.find(node->second.site);
    if (call != names.sites.end()) {
      Add(call->second, node->second.parent, frames);
    }
    if (node->second.parent >= node->first) break;  // untrusted
  }
  return frames;
}

std::optional<Region> RegionOf(const Event& first, const Event& second,
                               const Names& names) {
  const std::vector<Frame> others = FramesOf(second, names);
  for (const Frame& frame : FramesOf(first, names)) {
    for (const Frame& other : others) {
      if (frame.node != other.node || frame.function != other.function) {
        continue;
      }
      return Region{.function = frame.function,
                    .first = frame.place,
                    .second = other.place};
    }
  }
  return {};
}

}  // namespace fairlead::finding
