// explore/aim/target_places.h
//
// Targets written by people: a step that names a place but no anchor gets the
// anchor of the site there that does what the step does.

#ifndef FAIRLEAD_EXPLORE_AIM_TARGET_PLACES_H_
#define FAIRLEAD_EXPLORE_AIM_TARGET_PLACES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "finding/target.h"
#include "trace/site_table.h"

namespace fairlead::explore {

// Anchors of the sites that can be this operation at a place: a file (by the
// end of its path), a line, and a column unless it is 0. Each once.
std::vector<uint64_t> AnchorsAt(const trace::SiteTable& table,
                                const trace::Place& place,
                                finding::Operation operation);

// `target` with anchors for all steps that name a place. Fails when there is no
// such site, or more than one.
Result<finding::Target> WithAnchors(finding::Target target,
                                    const trace::SiteTable& table);

// The sites of a program's file.
Result<trace::SiteTable> SitesOf(const std::string& path);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_AIM_TARGET_PLACES_H_
