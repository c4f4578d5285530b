// analysis/conmem/emptied.h
//
// A count of what is left, looked at in one critical section and taken from in
// the next one: who finds it zero, at a place where another thread had found
// more and then took the last, could have looked before that. What it would
// have come to then, nothing that is there, the execution does not show.
//
// Incomplete: looks without a lock that are not atomic are races, and left to
// others.

#ifndef FAIRLEAD_ANALYSIS_CONMEM_EMPTIED_H_
#define FAIRLEAD_ANALYSIS_CONMEM_EMPTIED_H_

#include <cstdint>
#include <vector>

#include "analysis/conmem/before.h"
#include "order/model.h"
#include "order/object_table.h"

namespace fairlead::analysis::conmem {

// `look` could have come ahead of `last`, which left nothing.
struct FoundEmpty {
  uint64_t location = 0;
  order::Spot look;
  order::Spot last;
  uint64_t hold = 0;  // SiteKey of the first lock that `last` was made under
};

class Emptied {
 public:
  // For every access. `before`: as it was ahead of this one.
  void OnAccess(const trace::Event& event, order::Model& order, Before& before);
  void OnOther(const trace::Event& event) {
    if (order::EndsMemory(event.kind)) {
      counts_.Forget(event.address, event.value);
    }
  }
  const std::vector<FoundEmpty>& found() const { return found_; }

 private:
  static constexpr size_t kMostLooks = 4;
  static constexpr size_t kMostFound = 8;

  struct Look {
    trace::Tid tid = trace::Tid::kNone;
    uint64_t key = 0;
  };
  struct Count {
    std::vector<Look> looks;  // that found something
    order::Spot last;         // seq 0 = something is left
    uint32_t weak = 0;        // of it
    uint64_t hold = 0;
  };

  void OnLook(const trace::Event& event, uint64_t value, order::Model& order,
              Before& before);
  void OnWrite(const trace::Event& event, order::Model& order);

  order::ObjectTable<Count> counts_;
  std::vector<FoundEmpty> found_;
};

}  // namespace fairlead::analysis::conmem

#endif  // FAIRLEAD_ANALYSIS_CONMEM_EMPTIED_H_
