// explore/judge/verdict.h
//
// What one execution came to, by itself: judged as every oracle begins
// (explore/judge/outcome_oracle.h), by its exit code, and put into one of a few
// words and a sentence. Says nothing about why; campaigns and analyses do.

#ifndef FAIRLEAD_EXPLORE_JUDGE_VERDICT_H_
#define FAIRLEAD_EXPLORE_JUDGE_VERDICT_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/exit_code.h"
#include "explore/names/namer.h"
#include "explore/run/execution.h"

namespace fairlead::explore {

enum class VerdictWord {
  kOk,
  // Failed.
  kCrash,
  kDeadlock,
  kLivelock,
  kMisuse,
  kClosure,
  kSanitizer,
  kExit,
  // Unknown.
  kCut,
  kReplaced,
  kDiverged,
  kDestroyed,
  kKilled,
  kInterrupted,
  // No execution is possible like this.
  kUnsupported,
  kNotStarted,
  kOurBug,
};
// As in JSON and in schedules: "not-started".
std::string_view WordOf(VerdictWord word);

struct Verdict {
  VerdictWord word = VerdictWord::kOk;
  ExitCode exit = ExitCode::kNothingFound;
  // Of a failure, as findings are called: "lost wake-up"; "" = none.
  std::string_view title = {};
  std::string sentence = {};              // what happened, to whom
  std::vector<std::string> details = {};  // one line each
};

// `ok_exits`: exit codes of the program that count as success, besides 0.
Verdict Judge(const Executed& executed, const std::vector<int>& ok_exits,
              Namer& namer);

// "ok", "failed" or "unknown".
std::string_view ResultWord(const Verdict& verdict);

// Whether no further execution would be another one: the user has stopped it,
// or the program does not start.
bool EndsAll(const Verdict& verdict);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_VERDICT_H_
