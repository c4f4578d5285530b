// explore/judge/request_words.h
//
// How an execution is told whose requests fit no order: the sentence, the
// history in columns with who overlaps whom, which order fits how far, and what
// is missing and extra in each component.

#ifndef FAIRLEAD_EXPLORE_JUDGE_REQUEST_WORDS_H_
#define FAIRLEAD_EXPLORE_JUDGE_REQUEST_WORDS_H_

#include <map>
#include <string>
#include <vector>

#include "explore/judge/judgement.h"
#include "lin/request_judge.h"

namespace fairlead::explore {

// What was judged, and by what.
struct JudgedRequests {
  const lin::RequestHistory& history;
  const lin::Components& state;
  const std::map<uint64_t, std::string>& sessions;
  const lin::RequestJudgement& judgement;  // kNo
  const lin::Comparison& comparison;
  const lin::Specification& specification;  // knows all orders of `judgement`
};

Failure FailureOf(const JudgedRequests& judged);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_REQUEST_WORDS_H_
