// `fairlead guard learn`: what good runs have in common.

#include <stdio.h>
#include <unistd.h>

#include <memory>

#include "base/file.h"
#include "base/log.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/guard.h"
#include "cli/guard_facts.h"
#include "cli/guard_training.h"
#include "cli/print.h"
#include "explore/run/interrupt.h"
#include "explore/run/program.h"
#include "store/store.h"

namespace fairlead::cli {
namespace {

using Progress = Training::Progress;

std::string LineOf(const Progress& progress) {
  std::string line =
      fmt::format("{}, {} good", Counted(progress.runs, "run"), progress.good);
  if (progress.failed != 0) line += fmt::format(", {} failed", progress.failed);
  if (progress.cut != 0) line += fmt::format(", {} cut short", progress.cut);
  return line + fmt::format("; {}, {}; nothing new in the last {}",
                            Counted(progress.shared_sites, "shared site"),
                            Counted(progress.pairs, "predecessor"),
                            Counted(progress.unchanged, "good run"));
}

// One line on a terminal, that is written anew; elsewhere one now and then.
class ProgressLine {
 public:
  void Show(const Progress& progress) {
    if (terminal_) {
      fmt::print(stderr, "\r\033[K{}", LineOf(progress));
      fflush(stderr);
    } else if (progress.runs % 50 == 0) {
      Note("{}", LineOf(progress));
    }
  }
  void Finish() {
    if (terminal_) fmt::print(stderr, "\r\033[K");
  }

 private:
  const bool terminal_ = isatty(2) == 1;
};

// The curve of convergence: one row for each run.
class Curve {
 public:
  static constexpr char kHeader[] =
      "run,good,failed,cut,shared_sites,predecessors,unchanged_good_runs\n";

  void Add(const Progress& progress) {
    rows_ += fmt::format("{},{},{},{},{},{},{}\n", progress.runs, progress.good,
                         progress.failed, progress.cut, progress.shared_sites,
                         progress.pairs, progress.unchanged);
  }
  Status Keep(const std::string& path) const {
    return WriteFile(path, kHeader + rows_);
  }

 private:
  std::string rows_;
};

Status Keep(const Training& training, const GuardLearnOptions& options,
            const std::string& program) {
  const auto names = SiteNamesOf(training.modules());
  const std::vector<fact::Fact> facts = FactsOfSets(
      training.sets(), fact::State::kAccepted, program, kNativeSource,
      [&](uint64_t anchor) { return PlaceWordsOf(names, anchor); });
  Result<std::unique_ptr<store::Store>> store =
      store::OpenStore(options.store, store::IfMissing::kCreate);
  if (!store) return store.error();
  const Result<std::vector<fact::Conflict>> merged =
      (*store)->MergeFacts(facts);
  if (!merged) return merged.error();
  if (!merged->empty()) {
    Note(
        "{} of these were rejected before, and stay so; fairlead facts show "
        "predecessor",
        merged->size());
  }
  return {};
}

}  // namespace

Result<ExitCode> GuardLearn(const GuardLearnOptions& options,
                            const Arguments& argv) {
  const Result<explore::Program> program = explore::InspectProgram(argv[0]);
  if (!program) return program.error();
  if (!program->instrumented) {
    return Error(ErrorCode::kEnvironment)
        .Say("{} has no sites to learn from", argv[0])
        .Hint("compile it with fairlead-cc or fairlead-c++");
  }
  const explore::InterruptWatch interrupts;
  Training training(options.training, program->path, argv);
  ProgressLine line;
  Curve curve;
  const Status ran = training.Run([&](const Progress& progress) {
    line.Show(progress);
    curve.Add(progress);
  });
  line.Finish();
  if (!ran) return ran.error();
  const Progress& progress = training.progress();
  Note("{}", LineOf(progress));
  if (progress.good == 0 && interrupts.signal() != 0) {
    Note("stopped by the user, before a run was right: nothing is learnt");
    return ExitCode::kUnknown;
  }
  if (progress.good == 0) {
    return Error(ErrorCode::kEnvironment)
        .Say("no run was right, so nothing is learnt: {}",
             training.last_failure().empty() ? "none came to its end"
                                             : training.last_failure())
        .Hint(
            "run it by hand; --ok-exit, --judge and "
            "--timeout-per-run say what is right");
  }
  if (Status kept = Keep(training, options, GuardName(program->path)); !kept) {
    return kept.error();
  }
  if (!options.curve.empty()) {
    if (Status kept = curve.Keep(options.curve); !kept) return kept.error();
  }
  if (interrupts.signal() != 0) {
    Note("stopped by the user; what was learnt until then is kept");
    return ExitCode::kUnknown;
  }
  if (progress.pairs == 0) {
    Note(
        "no memory was used by two threads in these runs: there is nothing to "
        "guard");
    return ExitCode::kNothingFound;
  }
  if (progress.unchanged < options.training.settled) {
    Note("it still learns: the last new predecessor came {} ago",
         Counted(progress.unchanged, "good run"));
  }
  Note("run it guarded: fairlead guard run -- {}",
       PrintableLine(ShellCommand(argv)));
  return ExitCode::kNothingFound;
}

}  // namespace fairlead::cli
