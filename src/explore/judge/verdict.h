// explore/judge/verdict.h
//
// What one execution came to: its outcome and how its process ended, put
// together into one of a few words. Says nothing about why; campaigns and
// analyses do.

#ifndef FAIRLEAD_EXPLORE_JUDGE_VERDICT_H_
#define FAIRLEAD_EXPLORE_JUDGE_VERDICT_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/exit_code.h"
#include "explore/names/namer.h"
#include "explore/run/execution.h"

namespace fairlead::explore {

struct Verdict {
  // ok, crash, deadlock, livelock, misuse, sanitizer, exit, cut, diverged,
  // killed, interrupted, unsupported, not-started, our-bug.
  std::string_view word;
  ExitCode exit = ExitCode::kNothingFound;
  std::string sentence;              // what happened, to whom
  std::vector<std::string> details;  // one line each
};

// `ok_exits`: exit codes of the program that count as success, besides 0.
Verdict Judge(const Executed& executed, const std::vector<int>& ok_exits,
              Namer& namer);

// "ok", "failed" or "unknown".
std::string_view ResultWord(const Verdict& verdict);

// What the program did that no schedule controls; without `namer`, places are
// left out.
struct UncontrolledSource {
  std::string text;
  uint64_t number = 0;      // how often
  std::string_view remedy;  // what the user can do
};
std::vector<UncontrolledSource> UncontrolledSources(const abi::Outcome& outcome,
                                                    Namer* namer);

// The same, one line each.
std::vector<std::string> UncontrolledLines(const abi::Outcome& outcome,
                                           Namer* namer);

// Annotations that it called in vain, by name.
std::vector<std::string> UnheededAnnotations(const abi::Outcome& outcome);

// What a thread waits for in a call on descriptors: `object` names one.
std::string DescriptorText(uint64_t object);

// What to say of a failure if time-outs passed in its execution while other
// threads could go on, beginning with a comma; "" = none did.
std::string EarlyText(const abi::Outcome& outcome, Namer& namer);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_VERDICT_H_
