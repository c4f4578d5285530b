#include "explore/campaign/checkup.h"

#include <fcntl.h>

#include <algorithm>
#include <numeric>

#include "base/file.h"
#include "explore/judge/determinism.h"
#include "explore/run/repeated_input.h"
#include "explore/run/strategy_spec.h"

namespace fairlead::explore {
namespace {

uint64_t Total(const std::vector<UncontrolledSource>& sources) {
  return std::accumulate(
      sources.begin(), sources.end(), uint64_t{0},
      [](uint64_t sum, const auto& source) { return sum + source.number; });
}

// Keeps what `executed` adds to what is known of the program.
void Add(const Executed& executed, const Verdict& verdict, Namer& namer,
         Checkup& checkup) {
  const abi::Outcome& outcome = executed.outcome;
  ++checkup.num_executions;
  checkup.num_cut += verdict.word == VerdictWord::kCut;
  checkup.carrier = outcome.carrier;
  checkup.num_threads =
      std::max<uint64_t>(checkup.num_threads, outcome.num_threads);
  checkup.num_events = std::max(checkup.num_events, outcome.events);
  std::vector<UncontrolledSource> sources =
      UncontrolledSources(outcome, &namer);
  if (Total(sources) > Total(checkup.uncontrolled)) {
    checkup.uncontrolled = std::move(sources);
  }
  if (verdict.exit == ExitCode::kNothingFound) return;
  const bool known =
      std::ranges::any_of(checkup.failures, [&](const auto& failure) {
        return failure.first == WordOf(verdict.word);
      });
  if (!known) {
    checkup.failures.emplace_back(WordOf(verdict.word), verdict.sentence);
  }
}

// Why no further execution would tell more; empty = go on.
Status Fatal(const Verdict& verdict) {
  if (verdict.word == VerdictWord::kUnsupported ||
      verdict.word == VerdictWord::kNotStarted) {
    return Error(ErrorCode::kUnsupportedProgram).Say("{}", verdict.sentence);
  }
  return {};
}

}  // namespace

double Checkup::Score() const {
  if (num_compared == 0) return 0;
  return static_cast<double>(num_equal) / static_cast<double>(num_compared);
}

Result<Checkup> CheckUp(Order order, Repetitions repetitions,
                        const std::vector<int>& ok_exits) {
  const Fd null(open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (!null) {
    return Error(ErrorCode::kEnvironment).Say("/dev/null cannot be opened");
  }
  const Result<RepeatedInput> input_kept = RepeatedInput::OfOurs();
  if (!input_kept) return input_kept.error();
  const StrategySpec strategy = DefaultSpec(sched::StrategyId::kRandom);
  order.plan.strategy = static_cast<uint32_t>(strategy.id);
  std::ranges::copy(strategy.params, order.plan.params);
  order.plan.flags |= abi::kPlanRecord | abi::kPlanQuiet | abi::kPlanTrace;
  Checkup checkup;
  for (uint64_t seed = 1; seed <= repetitions.seeds; ++seed) {
    Comparison comparison;
    for (uint64_t i = 0; i < repetitions.each; ++i) {
      comparison.BeginRepetition();
      const Fd input = input_kept->Open();
      order.streams = {input.get(), null.get(), null.get()};
      order.plan.seed = seed;
      order.observer = &comparison;
      const Result<Executed> executed = Execute(order);
      if (!executed) return executed.error();
      Namer namer(*executed->memory);
      const Verdict verdict = Judge(*executed, ok_exits, namer);
      if (verdict.word == VerdictWord::kInterrupted) {
        checkup.stopped = true;
        return checkup;
      }
      if (Status fatal = Fatal(verdict); !fatal) return fatal.error();
      Add(*executed, verdict, namer, checkup);
      // Where it was cut depends on real time: there is nothing to compare.
      if (verdict.word == VerdictWord::kCut) {
        if (i == 0) break;
        continue;
      }
      std::vector<std::string> lines = comparison.Differences(*executed, namer);
      if (i == 0) continue;
      ++checkup.num_compared;
      if (lines.empty()) {
        ++checkup.num_equal;
      } else if (checkup.difference.empty()) {
        checkup.difference = std::move(lines);
        checkup.difference_seed = seed;
      }
    }
  }
  return checkup;
}

}  // namespace fairlead::explore
