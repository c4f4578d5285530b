// cli/explain.h
//
// What the verbs that explain findings share: from a finding that can be run
// again to what explore/explain needs, and what came of it as text and JSON.

#ifndef FAIRLEAD_CLI_EXPLAIN_H_
#define FAIRLEAD_CLI_EXPLAIN_H_

#include <string>
#include <vector>

#include "cli/rerun.h"
#include "explore/explain/explain.h"

namespace fairlead::cli {

// Of a finding that `rerun` has prepared, which must outlive it.
explore::Subject SubjectOf(const Rerun& rerun);

// "2 preemptions and 9 switches became 1 preemption and 4 switches, …".
std::string SmallerText(const finding::Explanation& explanation);

Json ExplanationJson(const finding::Explanation& explanation,
                     const std::string& no_orders);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_EXPLAIN_H_
