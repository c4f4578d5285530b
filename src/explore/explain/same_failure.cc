#include "explore/explain/same_failure.h"

#include "explore/judge/describe.h"
#include "finding/bug_file.h"

namespace fairlead::explore {

// Naming takes a while, so each key is named once.
bool SameFailure::IsSame(const Failure& failure, const Finished& finished) {
  const auto known = known_.find(failure.key);
  if (known != known_.end()) return known->second;
  Namer namer(*finished.executed.memory);
  const finding::Finding named = Describe(failure, finished, namer);
  const bool same = builds_ == Builds::kOne
                        ? named.fingerprint == finding_.fingerprint
                        : finding::IsSameBug(named, finding_);
  if (!same) other_ = named.message;
  known_.emplace(failure.key, same);
  return same;
}

Likeness SameFailure::Judge(const Finished& finished) {
  if (finished.executed.outcome.status == abi::Status::kDivergence) {
    return Likeness::kNeither;
  }
  Judgement judgement = oracles_.Judge(finished);
  // What was said to be right is the wrong output.
  if (finding_.kind == finding::Kind::kOutput) {
    switch (judgement.end) {
      case Judgement::End::kOk:
        return Likeness::kSame;
      case Judgement::End::kFailed:
        return judgement.failure->kind == finding::Kind::kOutput
                   ? Likeness::kOk
                   : Likeness::kOther;
      case Judgement::End::kStopped:
        return Likeness::kStopped;
      default:
        return Likeness::kNeither;
    }
  }
  bool failed = false;
  while (judgement.end == Judgement::End::kFailed && judgement.failure) {
    if (IsSame(*judgement.failure, finished)) return Likeness::kSame;
    failed = true;
    // Another one may hide it.
    if (judgement.silent) break;
    oracles_.Silence(judgement.failure->key);
    judgement = oracles_.Judge(finished);
  }
  if (failed) return Likeness::kOther;
  if (judgement.end == Judgement::End::kStopped) return Likeness::kStopped;
  return judgement.end == Judgement::End::kOk ? Likeness::kOk
                                              : Likeness::kNeither;
}

}  // namespace fairlead::explore
