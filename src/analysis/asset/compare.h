// analysis/asset/compare.h
//
// What two units of different threads did to one set in an execution, and
// whether another schedule of it could mix them: the hybrid analysis of the
// paper (4.1.3), relaxed happens-before and locks.
//
//   order   no step of the pattern may be ordered before an earlier one
//   exact   no acquisition by one unit may span a window (ei to ej; of the
//           across form also ek to el) in which the other has a step that holds
//           the same lock, unless both only read-lock it
//   paper   LS, the locks that all steps hold, is empty, or u releases one of
//           them in the window
//
// Differs from the paper: `exact` is the default. The paper's formula accepts
// where any of several common locks is released, and where three of the four
// steps share a lock; it looks at the window of u only.

#ifndef FAIRLEAD_ANALYSIS_ASSET_COMPARE_H_
#define FAIRLEAD_ANALYSIS_ASSET_COMPARE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "analysis/asset/pattern.h"
#include "order/access.h"
#include "order/locksets.h"
#include "order/vector_clock.h"

namespace fairlead::analysis::asset {

// One access of a unit to its set.
struct UnitStep {
  uint32_t field = 0;
  order::AccessKind kind = order::AccessKind::kRead;
  bool wide = false;
  order::Spot spot;
  uint64_t address = 0;
  order::HeldLocks locks;  // null = none
  order::Epoch epoch;
  std::shared_ptr<const order::VectorClock> clock;  // null = knows nothing
};

// In the order in which they came.
using UnitSteps = std::vector<UnitStep>;

enum class LockRule : uint8_t { kExact, kPaper };

struct Violation {
  const Pattern* pattern = nullptr;
  std::array<size_t, 4> at = {};  // by step of the pattern: index in its unit
  std::vector<uint64_t> opens;    // locks whose release opens u's window
};

// All ways in which u, with `other` as u', could match, the first of each
// pattern and pair of locations.
std::vector<Violation> Compare(const UnitSteps& u, const UnitSteps& other,
                               LockRule rule);

// Whether any could match if nothing but the accesses mattered: not the order
// of the threads, nor locks.
bool CouldMatch(const UnitSteps& u, const UnitSteps& other);

}  // namespace fairlead::analysis::asset

#endif  // FAIRLEAD_ANALYSIS_ASSET_COMPARE_H_
