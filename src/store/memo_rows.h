// store/memo_rows.h
//
// What the store keeps of a program's iRoots (explore/plan/memo.h), as rows:
// the store does not know what they mean.

#ifndef FAIRLEAD_STORE_MEMO_ROWS_H_
#define FAIRLEAD_STORE_MEMO_ROWS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "trace/names.h"

namespace fairlead::store {

struct IRootRow {
  std::string root;        // text form
  uint64_t exposures = 0;  // when it is added: how many more
  uint64_t attempts = 0;   // the same
  bool predicted = false;  // for one input
  uint64_t attempts_here = 0;
  uint64_t flags = 0;
  bool operator==(const IRootRow&) const = default;
};

struct IRootPlaceRow {
  uint64_t anchor = 0;
  trace::Place place = {};
  std::string function;
  bool library = false;
  bool update = false;
  bool operator==(const IRootPlaceRow&) const = default;
};

struct IRootGrowthRow {
  uint64_t executions = 0;
  uint64_t nanoseconds = 0;
  uint64_t exposed = 0;
  bool operator==(const IRootGrowthRow&) const = default;
};

struct MemoRows {
  std::vector<IRootRow> roots;
  std::vector<IRootPlaceRow> places;
  std::vector<IRootGrowthRow> growth;  // ascending
};

}  // namespace fairlead::store

#endif  // FAIRLEAD_STORE_MEMO_ROWS_H_
