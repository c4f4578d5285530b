// explore/judge/oracle.h
//
// Judges finished executions: each is ok, failed, or cut short. Cheap for those
// that are ok, since a campaign has thousands a second; a failure is told by
// kind and by a key that is equal for failures that look alike, so that naming
// (explore/judge/describe.h), which is not cheap, happens once for each.
//
// What an execution came to is asked in this order; the first answer counts:
// a sanitizer's report, how the runtime saw it end, the exit code, how its
// client ended, the output, the user's judge. A failure that does not count,
// since it is suppressed, does not keep the next ones from being asked.

#ifndef FAIRLEAD_EXPLORE_JUDGE_ORACLE_H_
#define FAIRLEAD_EXPLORE_JUDGE_ORACLE_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "explore/judge/judgement.h"
#include "explore/run/runner.h"

namespace fairlead::explore {

class Oracle {
 public:
  explicit Oracle(Expectations expectations)
      : expectations_(std::move(expectations)) {}

  Judgement Judge(const Finished& finished);

  // Failures of this key do not count: they are told only where there is no
  // other one.
  void Silence(uint64_t key) { silent_.insert(key); }

  // An execution of a schedule that is taken as a reference, after it was
  // judged as ok: its output is right.
  void LearnReference(const Finished& finished);
  bool IsOfReference(const std::string& output) const {
    return outputs_.contains(output);
  }

 private:
  std::optional<Failure> JudgeOutput(const Finished& finished) const;
  std::optional<Failure> JudgeExit(const Finished& finished) const;
  Judgement AskJudge(const Finished& finished) const;

  Expectations expectations_;
  std::set<std::string> outputs_;  // of the references
  std::set<uint64_t> silent_;      // keys
};

// The line that says what a sanitizer found; "" = there is no report in `text`.
std::string SanitizerLine(std::string_view text);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_ORACLE_H_
