// analysis/makers.h
//
// What makes each analysis of analyses.inc: a function that the analysis's own
// source ends with. Needed there and by the table (analysis/predictor).

#ifndef FAIRLEAD_ANALYSIS_MAKERS_H_
#define FAIRLEAD_ANALYSIS_MAKERS_H_

#include <memory>

#include "analysis/analysis.h"

namespace fairlead::analysis {

#define FL_ANALYSIS(name, word, looks_for, kind, help) \
  std::unique_ptr<Analysis> Make##name();
#include "analysis/analyses.inc"
#undef FL_ANALYSIS

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_MAKERS_H_
