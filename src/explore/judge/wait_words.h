// explore/judge/wait_words.h
//
// Words for threads that wait, and for executions in which nobody goes on.

#ifndef FAIRLEAD_EXPLORE_JUDGE_WAIT_WORDS_H_
#define FAIRLEAD_EXPLORE_JUDGE_WAIT_WORDS_H_

#include <cstdint>
#include <string>

#include "abi/control.h"
#include "explore/judge/words.h"
#include "explore/names/namer.h"

namespace fairlead::explore {

// Who waits for whom, and a line for each thread that waits.
Words WordsOfDeadlock(const abi::Outcome& outcome, Namer& namer);
Words WordsOfLivelock(const abi::Outcome& outcome, Namer& namer);

// What a thread waits for in a call on descriptors: `object` names one.
std::string DescriptorText(uint64_t object);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_WAIT_WORDS_H_
