// store/memo_rows.h
//
// What the store keeps of a program across executions
// (explore/plan/knowledge.h), as rows: the store does not know what they mean.
// Items are named over anchors: the same item has the same text in every build.

#ifndef FAIRLEAD_STORE_MEMO_ROWS_H_
#define FAIRLEAD_STORE_MEMO_ROWS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "trace/names.h"

namespace fairlead::store {

// Which knowledge: about what, and of which program (ProgramName).
struct MemoKey {
  std::string program;
  std::string kind;  // a word: "iroot"
};

struct MemoItemRow {
  std::string item;        // text form
  uint64_t exposures = 0;  // when it is added: how many more
  uint64_t attempts = 0;   // the same
  bool predicted = false;  // for one input
  uint64_t attempts_here = 0;
  uint64_t flags = 0;  // the kind's own
  bool operator==(const MemoItemRow&) const = default;
};

// Where an anchor is.
struct MemoPlaceRow {
  uint64_t anchor = 0;
  trace::Place place = {};
  std::string function;
  bool library = false;
  bool update = false;
  bool operator==(const MemoPlaceRow&) const = default;
};

struct MemoGrowthRow {
  uint64_t executions = 0;
  uint64_t nanoseconds = 0;
  uint64_t exposed = 0;
  bool operator==(const MemoGrowthRow&) const = default;
};

struct MemoRows {
  std::vector<MemoItemRow> items;
  std::vector<MemoPlaceRow> places;   // of all kinds
  std::vector<MemoGrowthRow> growth;  // ascending
};

}  // namespace fairlead::store

#endif  // FAIRLEAD_STORE_MEMO_ROWS_H_
