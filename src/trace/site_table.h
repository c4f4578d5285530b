// trace/site_table.h
//
// The sites, functions and types of an instrumented binary, read from its file:
// what the pass wrote (abi/site.h), found through the note (abi/module.h).
// Events name sites and functions by their position in these tables.

#ifndef FAIRLEAD_TRACE_SITE_TABLE_H_
#define FAIRLEAD_TRACE_SITE_TABLE_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/elf_image.h"
#include "base/result.h"
#include "trace/names.h"

namespace fairlead::trace {

struct SiteTable {
  bool instrumented = false;    // false: the file has no note of ours
  std::vector<SiteName> sites;  // what several units have compiled is in each
  size_t num_distinct = 0;      // sites, by their ids
  std::vector<FunctionName> functions;
  std::unordered_map<uint64_t, TypeName> types;  // by id
};

// Reads the tables of an untrusted file. A file without them is no error, one
// whose tables are damaged or newer than us is.
Result<SiteTable> ReadSiteTable(const ElfImage& image);

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_SITE_TABLE_H_
