// explore/judge/judgement.h
//
// What judging comes to: an execution is ok, failed, or neither. A failure is
// told by kind and by a key that is equal for failures that look alike, so that
// naming (explore/judge/describe.h), which is not cheap, happens once for each.

#ifndef FAIRLEAD_EXPLORE_JUDGE_JUDGEMENT_H_
#define FAIRLEAD_EXPLORE_JUDGE_JUDGEMENT_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/subprocess.h"
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

// A failure that looks like others of its kind with this cause, but for
// numbers in it.
Failure PlainFailure(finding::Kind kind, std::string cause,
                     std::vector<std::string> details);

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
  // It does not count (Oracles::Silence), and nothing else is wrong.
  bool silent = false;
  std::string reason = {};
  std::optional<Error> error = {};
};

class RequestReferences;

// What the user accepts.
struct Expectations {
  std::vector<int> ok_exits = {};          // besides 0
  std::optional<std::string> output = {};  // standard output must be this
  bool same_output = false;  // … or one that a serial execution gave
  std::string judge = {};    // command; "" = none
  std::optional<std::chrono::nanoseconds> judge_limit = {};
  bool sanitized = false;  // the program reports by a sanitizer
  // What requests are compared with, once some are seen; shared by all who
  // judge executions of the program. Null = nobody asks.
  std::shared_ptr<RequestReferences> requests = {};
};

// Whether a program that came to its end exited with 0 or one of `ok_exits`. A
// server that was ended behind its client has no exit code, and that is right.
bool IsOkEnding(const Ending& ending, const std::vector<int>& ok_exits);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_JUDGEMENT_H_
