// explore/judge/failure_words.h
//
// Words for what an execution shows by itself to be wrong with it; those of
// other oracles' failures are in explore/judge/describe.cc.

#ifndef FAIRLEAD_EXPLORE_JUDGE_FAILURE_WORDS_H_
#define FAIRLEAD_EXPLORE_JUDGE_FAILURE_WORDS_H_

#include <string>

#include "explore/judge/words.h"
#include "explore/names/namer.h"
#include "explore/run/execution.h"
#include "finding/finding.h"

namespace fairlead::explore {

// `executed` failed by `kind`, one of those that JudgeOutcome gives, or by its
// exit code.
Words WordsOf(finding::Kind kind, const Executed& executed, Namer& namer);

// How a program came to its end: "the program ended with exit code 3".
std::string ExitText(const Executed& executed);

// What to say of a failure if time-outs passed in its execution while other
// threads could go on, beginning with a comma; "" = none did.
std::string EarlyText(const abi::Outcome& outcome, Namer& namer);
// The same of sleeps that are too short for a finding's first line.
std::string EarlyNapText(const abi::Outcome& outcome, Namer& namer);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_FAILURE_WORDS_H_
