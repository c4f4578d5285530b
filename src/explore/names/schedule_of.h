// explore/names/schedule_of.h
//
// From an execution to the schedule that repeats it, and back into the form
// that the runtime follows.

#ifndef FAIRLEAD_EXPLORE_NAMES_SCHEDULE_OF_H_
#define FAIRLEAD_EXPLORE_NAMES_SCHEDULE_OF_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "explore/names/namer.h"
#include "explore/run/execution.h"
#include "explore/run/program.h"
#include "trace/schedule.h"

namespace fairlead::explore {

// What is known of an execution before it starts. `argv` and `environment` are
// those that the program gets.
trace::Identity IdentityOf(const Program& program,
                           const std::vector<std::string>& argv,
                           const std::vector<std::string>& environment);

// The choices and inputs that `executed` recorded, under `identity`, which
// learns what only the execution knows (further builds, the set of points).
trace::Schedule ScheduleOf(const Executed& executed, trace::Identity identity,
                           Namer& namer);

// Places of the anchors in the schedule, for its comments.
std::map<uint64_t, std::string> PlacesOf(const Executed& executed,
                                         Namer& namer);
// … and of these.
std::map<uint64_t, std::string> PlacesOf(const Executed& executed,
                                         const std::set<uint64_t>& anchors,
                                         Namer& namer);

// Flags of a plan that a repetition must have again, since points and options
// depend on them, as words of a schedule; and back, where unknown words count
// for nothing.
std::vector<std::string> PoliciesOf(uint64_t plan_flags);
uint64_t FlagsOf(const std::vector<std::string>& policies);

// If threads were made to yield in it by the time that they ran: a sentence
// that says so, and that no replay has that exactly. "" = none was.
std::string ForcedText(const trace::Schedule& schedule);

// Inputs laid out as the runtime reads them.
struct FollowedInputs {
  std::vector<abi::InputRecord> records;
  std::vector<char> payload;
};
FollowedInputs LayOutInputs(const std::vector<trace::Input>& inputs);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_NAMES_SCHEDULE_OF_H_
