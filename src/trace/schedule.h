// trace/schedule.h
//
// A schedule as a value and as a file: the choices and inputs of an execution
// (abi/schedule.h), and of which program, build, arguments and seed they are.
// The file is text, to be read and compared by people:
//
//   fairlead schedule 4
//   tool: 0.1.0
//   program: /home/me/app
//   points: rule 2, set 0x90c1
//   build: 5f3c… /home/me/app
//   argv: ./app -n 2
//   environment: 0x1b7
//   stdin: -
//   strategy: random, seed 7
//   carrier: fiber
//   policies: spurious early-timeouts-short
//   outcome: deadlock
//   idle: 0x7f 0x81
//   ordered: 0x92
//   closure: 2
//   thread: main
//   thread: main/1 name=worker
//   main @ 17 -> main/1  at 0x2e  // increment lost.c:18
//   main/1 @ 3 = 2  at 0x31       // option 2 of a choice that is not of
//   threads input main @ 1: time 1700000000 input main @ 2: result 3 bytes=abc
//   end: 2 choices, 2 inputs
//
// Threads are named by creation path, so that a line can be understood.

#ifndef FAIRLEAD_TRACE_SCHEDULE_H_
#define FAIRLEAD_TRACE_SCHEDULE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abi/schedule.h"
#include "base/result.h"
#include "trace/names.h"

namespace fairlead::trace {

// Of what execution: everything that must be equal for a replay to have a
// chance.
struct Identity {
  struct Build {
    std::string build_id;  // lower-case hexadecimal; "" = the file has none
    std::string path;
    bool operator==(const Build&) const = default;
  };
  std::string program;        // path of the executable
  std::vector<Build> builds;  // the program first, then instrumented libraries
  std::vector<std::string> argv;
  uint64_t environment = 0;              // digest
  std::optional<uint64_t> stdin_digest;  // none: nothing that can be read twice
  uint32_t point_rule = abi::kPointRule;
  uint64_t point_set = 0;  // digest of the sites that were points
  bool operator==(const Identity&) const = default;
};

struct Input {
  abi::InputKind kind = abi::InputKind::kNone;
  Tid tid = Tid::kMain;
  uint32_t count = 0;
  uint64_t value = 0;
  std::string payload = {};
  bool operator==(const Input&) const = default;
};

// Sites that were no points in an execution, by ids, ascending. A schedule
// counts points, so whoever repeats it must leave the same ones out.
struct QuietSites {
  std::vector<uint64_t> idle = {};     // neither told
  std::vector<uint64_t> ordered = {};  // told
  bool operator==(const QuietSites&) const = default;
};

struct Schedule {
  uint32_t version = abi::kScheduleVersion;
  std::string tool;  // version of fairlead that recorded it
  Identity identity;
  std::string strategy;
  uint64_t seed = 0;
  std::string carrier;
  std::vector<std::string> policies;
  std::string outcome;  // a word; for the reader only
  QuietSites quiet;
  uint64_t explore_call = 0;  // of fairlead::explore(), whose closure began
                              // with a strategy of its own; 0 = none
  std::vector<ThreadName> threads;  // by thread number
  std::vector<abi::ChoiceRecord> choices;
  std::vector<Input> inputs;
};

// `places` (by anchor) become comments, where known.
std::string PrintSchedule(const Schedule& schedule,
                          const std::map<uint64_t, std::string>& places);

// Refuses a newer format before it looks at anything else. Errors carry line
// and column.
Result<Schedule> ParseScheduleUntrusted(std::string_view text);

// A million choices take 50 MB.
inline constexpr size_t kMaxScheduleBytes = size_t{256} << 20;

// The same from a file; errors carry its name.
Result<Schedule> LoadSchedule(const std::string& path);

// What differs between the recorded identity and the one at hand, in words;
// empty when a replay can be tried. Not about environment and stdin: these are
// worth a warning only, see below.
std::string IdentityProblem(const Identity& recorded, const Identity& now);
std::string IdentityDoubt(const Identity& recorded, const Identity& now);

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_SCHEDULE_H_
