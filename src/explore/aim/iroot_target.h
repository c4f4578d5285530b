// explore/aim/iroot_target.h
//
// An iRoot as a target for the director: the two threads are roles a and b, the
// locations x and y.

#ifndef FAIRLEAD_EXPLORE_AIM_IROOT_TARGET_H_
#define FAIRLEAD_EXPLORE_AIM_IROOT_TARGET_H_

#include <map>
#include <string>

#include "analysis/iroot/profiler.h"
#include "explore/names/place_names.h"
#include "finding/target.h"

namespace fairlead::explore {

// `facts` are of the anchors in it; what is not there is taken for an ordinary
// access without a known place. The target passes CheckTarget. With a
// candidate, steps are the passes of their threads that it was predicted from.
finding::Target TargetOf(const analysis::iroot::IRoot& root,
                         const std::map<uint64_t, SiteFacts>& facts,
                         const analysis::iroot::Candidate& candidate = {});

// For people: "idiom 2: read at a.c:3 (f) => write at a.c:9 (g) => read at
// a.c:4 (f)".
std::string SentenceOf(const analysis::iroot::IRoot& root,
                       const std::map<uint64_t, SiteFacts>& facts);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_AIM_IROOT_TARGET_H_
