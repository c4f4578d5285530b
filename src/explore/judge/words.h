// explore/judge/words.h
//
// What people are told of one execution.

#ifndef FAIRLEAD_EXPLORE_JUDGE_WORDS_H_
#define FAIRLEAD_EXPLORE_JUDGE_WORDS_H_

#include <string>
#include <vector>

namespace fairlead::explore {

struct Words {
  std::string sentence;                   // what happened, to whom
  std::vector<std::string> details = {};  // one line each
};

// " at a.c:7 (f)"; "" where the place is not known.
inline std::string At(const std::string& where) {
  return where.empty() ? "" : " at " + where;
}

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_WORDS_H_
