// lin/check.h
//
// Whether the histories of a file are linearizable, object by object, and, for
// one that is not, what a person needs to see why: the longest order that fits
// and the operation that fits nowhere behind it.

#ifndef FAIRLEAD_LIN_CHECK_H_
#define FAIRLEAD_LIN_CHECK_H_

#include <string>
#include <vector>

#include "lin/histories.h"
#include "lin/search.h"

namespace fairlead::lin {

// One operation, and what the object held after it.
struct ToldOperation {
  Origin origin = {};
  std::string argument = {};  // "" = it takes none
  std::string result = {};    // "" = it gives none; "?" = never answered
  std::string state = {};
};

// Why one object's history has no order.
struct Contradiction {
  std::string key = {};
  size_t num_operations = 0;
  size_t prefix_length = 0;                // operations in the longest order
  std::vector<ToldOperation> prefix = {};  // the last of them
  ToldOperation stuck = {};  // its state: what the object holds then
  // Others under way then that are not in the order.
  std::vector<ToldOperation> under_way = {};
};

struct Checked {
  Verdict verdict = Verdict::kYes;
  size_t num_operations = 0;
  size_t num_pending = 0;
  size_t num_objects = 0;
  size_t num_unknown = 0;  // objects about which nothing is known
  std::vector<std::string> wrong_keys = {};
  std::vector<Contradiction> contradictions = {};  // of the first wrong object
  uint64_t num_configurations = 0;
  bool out_of_memory = false;  // why something is unknown
};

// The last operations of a longest order that are kept for people.
inline constexpr size_t kToldPrefix = 8;

Checked Check(const Histories& histories, const ModelKind& kind,
              ValueId initial, ValueTable& values, const Budget& budget);

}  // namespace fairlead::lin

#endif  // FAIRLEAD_LIN_CHECK_H_
