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

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "explore/run/runner.h"
#include "finding/finding.h"

namespace fairlead::explore {

struct Failure {
  finding::Kind kind = finding::Kind::kCrash;
  uint64_t key = 0;   // equal for failures that look alike, in this campaign
  std::string cause;  // what else tells it from others of its kind
  std::vector<std::string> details;
  // What the program said about it, and where it said that is; "" and nothing
  // where it did not, or where the runtime knows better.
  std::string said = {};
  finding::Where place = {};
};

struct Judgement {
  enum class End {
    kOk,
    kFailed,   // `failure`
    kCut,      // `reason`; neither ok nor failed
    kStopped,  // by the user
    kUnable,   // no execution is possible like this: `error`
  };
  End end = End::kOk;
  std::optional<Failure> failure = {};
  // It does not count (Oracle::Silence), and nothing else is wrong.
  bool silent = false;
  std::string reason = {};
  std::optional<Error> error = {};
};

// What the user accepts.
struct Expectations {
  std::vector<int> ok_exits = {};          // besides 0, or instead of it
  std::optional<std::string> output = {};  // standard output must be this
  bool same_output = false;  // … or one that a reference execution gave
  std::string judge = {};    // command; "" = none
  std::optional<std::chrono::nanoseconds> judge_limit = {};
  bool sanitized = false;  // the program reports by a sanitizer
};

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
