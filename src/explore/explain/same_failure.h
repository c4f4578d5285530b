// explore/explain/same_failure.h
//
// Whether an execution failed in the same way as a finding: with its
// fingerprint; where the output was wrong, with the same output.

#ifndef FAIRLEAD_EXPLORE_EXPLAIN_SAME_FAILURE_H_
#define FAIRLEAD_EXPLORE_EXPLAIN_SAME_FAILURE_H_

#include <map>
#include <string>

#include "explore/judge/oracles.h"
#include "finding/finding.h"

namespace fairlead::explore {

enum class Likeness {
  kOk,       // it came to its end, and nothing is wrong
  kSame,     // it failed like the finding
  kOther,    // it failed, in another way
  kNeither,  // it was cut, or left its schedule: nothing is known
  kStopped,  // the user ended it
};

// Of two builds, failures are compared as finding::IsSameBug does.
enum class Builds { kOne, kTwo };

class SameFailure {
 public:
  // `finding` must outlive it. `expectations` are those of its campaign; of a
  // finding about output, the output is what was printed when it was found.
  SameFailure(const finding::Finding& finding, Expectations expectations,
              Builds builds = Builds::kOne)
      : finding_(finding), builds_(builds), oracles_(std::move(expectations)) {}

  Likeness Judge(const Finished& finished);

  // The message of the first one of each kind that was kOther.
  const std::string& other() const { return other_; }

 private:
  bool IsSame(const Failure& failure, const Finished& finished);

  const finding::Finding& finding_;
  Builds builds_;
  Oracles oracles_;
  std::map<uint64_t, bool> known_;  // by key: whether it is the same
  std::string other_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_EXPLAIN_SAME_FAILURE_H_
