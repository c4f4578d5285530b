// report/execution.h
//
// One execution at its end, or repetitions of one: as lines of which the last
// says what it came to, and as JSON.

#ifndef FAIRLEAD_REPORT_EXECUTION_H_
#define FAIRLEAD_REPORT_EXECUTION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/exit_code.h"
#include "base/json.h"

namespace fairlead::report {

// What an execution came to, by itself.
struct Ended {
  std::string result = {};    // "ok", "failed" or "unknown"
  std::string outcome = {};   // "crash", …; "ok"
  std::string title = {};     // for people, where it says more than outcome
  std::string sentence = {};  // what happened, to whom
  std::vector<std::string> details = {};
  ExitCode exit = ExitCode::kNothingFound;
};

struct Execution {
  Ended ended = {};
  struct Program {
    std::string path = {};
    std::string build_id = {};
    bool instrumented = false;
    std::string signal = {};  // that ended it; "" = it exited
    int exit_code = 0;
  } program = {};
  std::string strategy = {};
  uint64_t seed = 0;
  std::string carrier = {};
  uint64_t threads = 0;
  uint64_t points = 0;
  uint64_t steps = 0;
  uint64_t events = 0;
  uint64_t event_digest = 0;
  uint64_t schedule_digest = 0;
  std::vector<std::string> uncontrolled = {};
  std::vector<std::string> ignored_annotations = {};
  std::string schedule = {};  // file that was written; "" = none
  std::string trace = {};     // likewise
  std::string repeat = {};    // the command that does
};

enum class Length { kShort, kFull };
std::vector<std::string> ExecutionLines(const Execution& execution,
                                        Length length);
Json ExecutionJson(const Execution& execution);

// Repetitions of an execution, compared with the first.
struct Repetitions {
  Ended first = {};
  uint64_t number = 0;
  struct Difference {
    uint64_t repetition = 0;  // from 1
    std::vector<std::string> lines = {};
  };
  std::vector<Difference> differences = {};
  ExitCode exit = ExitCode::kNothingFound;
};

std::string RepetitionsLine(const Repetitions& repetitions);
Json RepetitionsJson(const Repetitions& repetitions);

}  // namespace fairlead::report

#endif  // FAIRLEAD_REPORT_EXECUTION_H_
