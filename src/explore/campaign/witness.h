// explore/campaign/witness.h
//
// From a traced execution that failed to what shows it (finding::Witness): the
// events that matter with their names, which of them decide, and the sentence
// that says why.

#ifndef FAIRLEAD_EXPLORE_CAMPAIGN_WITNESS_H_
#define FAIRLEAD_EXPLORE_CAMPAIGN_WITNESS_H_

#include "explore/judge/oracles.h"
#include "explore/names/trace_keeper.h"
#include "finding/finding.h"

namespace fairlead::explore {

// `keeper` has followed `finished`, which was judged to be what `finding` says.
void KeepWitness(const Finished& finished, const Judgement& judgement,
                 TraceKeeper& keeper, finding::Finding& finding);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_CAMPAIGN_WITNESS_H_
