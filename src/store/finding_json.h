// store/finding_json.h
//
// Parts of findings as JSON, both ways, for columns that nobody searches.
// Fields that are missing or of another type are empty: rows are untrusted, and
// a later version may have added some.

#ifndef FAIRLEAD_STORE_FINDING_JSON_H_
#define FAIRLEAD_STORE_FINDING_JSON_H_

#include <string>
#include <vector>

#include "base/json.h"
#include "finding/finding.h"

namespace fairlead::store {

Json SitesJson(const std::vector<finding::Where>& sites);
std::vector<finding::Where> SitesFromUntrusted(const Json& json);

// Of a witness: slice, threads, sources, output. The schedule has a row of its
// own.
Json WitnessJson(const finding::Witness& witness);
Result<finding::Witness> WitnessFromUntrusted(const Json& json);

// Ids as lines of hexadecimal numbers, as schedules were kept without them.
std::vector<uint64_t> SiteIdsFromUntrusted(const std::string& text);

}  // namespace fairlead::store

#endif  // FAIRLEAD_STORE_FINDING_JSON_H_
