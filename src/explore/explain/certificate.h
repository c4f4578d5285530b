// explore/explain/certificate.h
//
// Whether a patch forbids what made a program fail:
//
//   still there  an execution of the patched program failed like the finding
//   fixed        none did, though its orders were asked for so many times; both
//                sides of them were reached, and something that can be named
//                forbids them (explore/explain/forbids.h)
//   unknown      anything else: a place was not found again, or not reached; or
//                nothing failed, and nobody knows why
//
// So a fixed program may be unknown, but one that can still fail by these
// orders is fixed only if so many forced executions and the search missed it.

#ifndef FAIRLEAD_EXPLORE_EXPLAIN_CERTIFICATE_H_
#define FAIRLEAD_EXPLORE_EXPLAIN_CERTIFICATE_H_

#include "explore/explain/step_names.h"
#include "explore/explain/trials.h"

namespace fairlead::explore {

enum class FixVerdict { kFixed, kStillThere, kUnknown };
// "still there".
std::string_view WordOf(FixVerdict verdict);

struct Certificate {
  FixVerdict verdict = FixVerdict::kUnknown;
  std::string reason;              // a sentence
  std::vector<StepMatch> matches;  // by step
  finding::Count forced;           // executions
  std::vector<finding::StepPair> forbidden;
  std::string forbids;   // by what
  bool stopped = false;  // by the user
};

struct FixOptions {
  uint64_t attempts = 50;
};

// `ordering` is of the failing program; `trials` of the patched one, whose
// sites `table` has.
Result<Certificate> CheckFix(Trials& trials, const finding::Ordering& ordering,
                             const trace::SiteTable& table,
                             const FixOptions& options);

// The steps of its edges, and of `pairs`, with their places in the patched
// program, one line each.
std::vector<std::string> MatchLines(
    const finding::Ordering& ordering, const std::vector<StepMatch>& matches,
    const std::vector<finding::StepPair>& pairs = {});

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_EXPLAIN_CERTIFICATE_H_
