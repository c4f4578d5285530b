// explore/explain/step_names.h
//
// What a step is called besides its anchor, and how it is found again in
// another build. In this order, and what matched how is told:
//
//   anchor              a site of the new build has the step's anchor, and its
//                       operation
//   function and field  in the function of that name, the sites of its kind on
//                       its field or variable: those that both builds know by
//                       their anchors are put aside; if as many are left in
//                       both, the one in the same place of the order
//   function            the same among all sites of its kind
//   atomic              where that function has no plain access of its kind any
//                       more, its only atomic one of that kind, else its only
//                       one that reads and writes
//
// Whatever leaves several, or a different number in the two builds, is
// ambiguous, and nothing is chosen.

#ifndef FAIRLEAD_EXPLORE_EXPLAIN_STEP_NAMES_H_
#define FAIRLEAD_EXPLORE_EXPLAIN_STEP_NAMES_H_

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "finding/explanation.h"
#include "trace/site_table.h"

namespace fairlead::explore {

// Fills in, from the program's sites and sources, what only they know.
void NameSteps(const std::string& program, finding::Ordering& ordering);

enum class MatchedBy { kAnchor, kField, kKind, kAtomic, kAmbiguous, kMissing };
// "by its anchor".
std::string_view WordsOf(MatchedBy by);

struct StepMatch {
  MatchedBy by = MatchedBy::kMissing;
  uint64_t anchor = 0;  // in the new build; 0 = none
  // What the step does there: of an access that is atomic now, all of it.
  std::optional<finding::Operation> operation = {};
  trace::Place place = {};
  std::string why = {};  // of kAmbiguous and kMissing, a sentence
  bool found() const { return anchor != 0; }
};

// By step of `ordering`.
std::vector<StepMatch> MatchSteps(const finding::Ordering& ordering,
                                  const trace::SiteTable& table);

// `ordering` for the build in which its steps were found: all of them.
finding::Ordering WithMatches(finding::Ordering ordering,
                              const std::vector<StepMatch>& matches);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_EXPLAIN_STEP_NAMES_H_
