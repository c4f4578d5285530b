// explore/judge/terminate_words.h
//
// Why the C++ library ended a program: it says little, but what called it is on
// the stack.

#ifndef FAIRLEAD_EXPLORE_JUDGE_TERMINATE_WORDS_H_
#define FAIRLEAD_EXPLORE_JUDGE_TERMINATE_WORDS_H_

#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.h"

namespace fairlead::explore {

// One line, or "" if the library did not end it, or nothing more is known.
// `said`: what the program or a library printed last that is a reason.
// `functions`: of the thread's stack, the innermost first.
std::string WhyTerminated(finding::Kind kind, std::string_view said,
                          const std::vector<std::string>& functions);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_TERMINATE_WORDS_H_
