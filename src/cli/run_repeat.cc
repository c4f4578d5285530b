// cli/run_repeat.cc
//
// `fairlead run --check-determinism`: the same execution again and again, which
// must be equal in every event.

#include <stdio.h>

#include "base/log.h"
#include "cli/launch.h"
#include "cli/print.h"
#include "explore/judge/determinism.h"
#include "explore/run/repeated_input.h"

namespace fairlead::cli {

using explore::Executed;
using explore::Namer;
using explore::Verdict;

Result<ExitCode> CheckDeterminism(const Launch& launch) {
  const RunOptions& options = launch.options();
  launch.SayWhatRecompilingAdds();
  const Result<explore::RepeatedInput> input = explore::RepeatedInput::OfOurs();
  if (!input) return input.error();
  explore::Comparison comparison;
  report::Repetitions repetitions = {.number = options.repetitions};
  for (uint64_t i = 0; i < options.repetitions; ++i) {
    comparison.BeginRepetition();
    explore::Order order = launch.OrderFor(&comparison);
    const Fd standard_input = input->Open();
    order.streams.input = standard_input.get();
    const Result<Executed> executed = explore::Execute(order);
    if (!executed) return executed.error();
    Namer namer(*executed->memory);
    const Verdict verdict = explore::Judge(*executed, options.ok_exits, namer);
    if (EndsAll(verdict)) {
      return Error(ErrorCode::kInterrupted)
          .Say("stopped at repetition {}: {}", i + 1, verdict.sentence);
    }
    if (i == 0) repetitions.first = EndedOf(verdict);
    const std::vector<std::string> lines =
        comparison.Differences(*executed, namer);
    if (lines.empty()) continue;
    repetitions.differences.push_back({i + 1, lines});
    if (options.json || repetitions.differences.size() > 1) continue;
    Note("repetition {} differs from the first:", i + 1);
    for (const std::string& line : lines) Note("  {}", line);
  }
  repetitions.exit = repetitions.differences.empty() ? repetitions.first.exit
                                                     : ExitCode::kUnknown;
  if (options.json) {
    PrintJsonLine(stderr, report::RepetitionsJson(repetitions));
  } else {
    Note("{}", report::RepetitionsLine(repetitions));
  }
  return repetitions.exit;
}

}  // namespace fairlead::cli
