#include "finding/coverage.h"

#include <algorithm>

namespace fairlead::finding {

uint64_t LineCoverage::num_tested() const {
  return static_cast<uint64_t>(std::ranges::count_if(
      pairs, [](const LinePair& pair) { return pair.exposures != 0; }));
}

}  // namespace fairlead::finding
