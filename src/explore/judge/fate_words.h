// explore/judge/fate_words.h
//
// Words for executions that have neither passed nor failed: in few words for
// the summary of a campaign, which counts them by reason, and as a sentence for
// one execution by itself.

#ifndef FAIRLEAD_EXPLORE_JUDGE_FATE_WORDS_H_
#define FAIRLEAD_EXPLORE_JUDGE_FATE_WORDS_H_

#include <string>
#include <string_view>

#include "explore/judge/fate.h"
#include "explore/judge/words.h"
#include "explore/names/namer.h"

namespace fairlead::explore {

// The reason of a cut where nothing inside the program could go on.
inline constexpr std::string_view kWaitedOutside =
    "waited for something from outside, which did not come";

// … and where a thread goes round a loop that gives no other a turn: one that
// was not built with fairlead-cc, or touches nothing that threads share.
inline constexpr std::string_view kSpun = "spins in a loop without points";

// Why an execution was cut short: "out of time". "" for a fate that is no cut.
std::string CutReasonOf(Fate fate, const Executed& executed);

// The same, and all other ends that are neither ok nor failed, in full. Where
// the program has passed or failed, the sentence is empty.
Words WordsOf(Fate fate, const Executed& executed, Namer& namer);

std::string NotStartedText(const Executed& executed);
inline constexpr std::string_view kNotStartedHint =
    "run it without fairlead to see why: a library may be missing";

std::string OurBugText(const Executed& executed);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_FATE_WORDS_H_
