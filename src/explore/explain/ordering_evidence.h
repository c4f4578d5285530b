// explore/explain/ordering_evidence.h
//
// What is counted of orders that were found: how often it fails with all of
// them forced, with none, with each released and with each reversed.

#ifndef FAIRLEAD_EXPLORE_EXPLAIN_ORDERING_EVIDENCE_H_
#define FAIRLEAD_EXPLORE_EXPLAIN_ORDERING_EVIDENCE_H_

#include <optional>

#include "explore/explain/trials.h"
#include "finding/explanation.h"

namespace fairlead::explore {

// Only the steps that edges name: what the director is given.
finding::Target ForcedPart(finding::Target target);

// Without that edge; with it turned around. None when nothing is left, or when
// the orders would form a circle.
std::optional<finding::Target> Released(const finding::Target& target,
                                        size_t edge);
std::optional<finding::Target> Reversed(const finding::Target& target,
                                        size_t edge);

// With `target` forced, or nothing where it is null; stops early when nobody
// waits any longer.
Result<finding::Count> CountForced(Trials& trials,
                                   const finding::Target* target,
                                   uint64_t seeds);

// Counts what `ordering` claims, anew.
Status CountEvidence(Trials& trials, finding::Ordering& ordering,
                     uint64_t seeds);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_EXPLAIN_ORDERING_EVIDENCE_H_
