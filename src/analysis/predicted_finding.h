// analysis/predicted_finding.h
//
// A prediction as a finding: a claim that no execution has shown yet, with the
// target that would. Its kind is that of the analysis, its fingerprint that of
// the target, so that the same prediction is the same finding in every
// execution and build.

#ifndef FAIRLEAD_ANALYSIS_PREDICTED_FINDING_H_
#define FAIRLEAD_ANALYSIS_PREDICTED_FINDING_H_

#include "analysis/prediction.h"
#include "finding/finding.h"

namespace fairlead::analysis {

// As a suppression names it, too.
finding::Kind KindOf(const Prediction& prediction);

// `prediction` is resolved. What is unlikely to be a bug is of severity `info`.
finding::Finding FindingOf(const Prediction& prediction,
                           const trace::Names& names);

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_PREDICTED_FINDING_H_
