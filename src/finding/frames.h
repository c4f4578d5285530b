// finding/frames.h
//
// Which functions an event happened in, by its calling context, and which of
// them two events have in common: the region that another thread came into.

#ifndef FAIRLEAD_FINDING_FRAMES_H_
#define FAIRLEAD_FINDING_FRAMES_H_

#include <optional>
#include <string>
#include <vector>

#include "trace/names.h"

namespace fairlead::finding {

// A function of the application's, and where in it.
struct Frame {
  uint32_t node = 0;  // of its activation
  std::string function = {};
  trace::Place place = {};
};

// The innermost first.
std::vector<Frame> FramesOf(const trace::Event& event,
                            const trace::Names& names);

struct Region {
  std::string function = {};
  trace::Place first = {};
  trace::Place second = {};
};

// The innermost function that both happened in, with the place of each there.
// Assumes: of one context there is one activation that matters.
std::optional<Region> RegionOf(const trace::Event& first,
                               const trace::Event& second,
                               const trace::Names& names);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_FRAMES_H_
