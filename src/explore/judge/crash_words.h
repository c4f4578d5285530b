// explore/judge/crash_words.h
//
// Words for a program that a signal has ended through its own doing: who got
// it, where, and what that thread did.

#ifndef FAIRLEAD_EXPLORE_JUDGE_CRASH_WORDS_H_
#define FAIRLEAD_EXPLORE_JUDGE_CRASH_WORDS_H_

#include "explore/judge/words.h"
#include "explore/names/namer.h"
#include "explore/run/execution.h"

namespace fairlead::explore {

Words WordsOfCrash(const Executed& executed, Namer& namer);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_CRASH_WORDS_H_
