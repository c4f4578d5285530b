// cli/coverage.cc
//
// `fairlead coverage`: which interleavings of a program's shared accesses have
// been tested, which are known and have not, and whether it is worth going on.

#include <stdio.h>

#include <algorithm>
#include <memory>

#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/findings.h"
#include "cli/formats.h"
#include "cli/memo_store.h"
#include "cli/print.h"
#include "explore/plan/coverage.h"
#include "report/coverage.h"

namespace fairlead::cli {
namespace {

struct CoverageOptions {
  std::string store;
  std::string program;  // "" = the only one there is
  std::vector<std::string> merge;
  std::string csv, svg;
  bool application_only = false;
  bool lines = false;
  bool forget = false;
  std::string format;
  bool verbose = false;
};

Result<std::string> ChooseProgram(store::Store& store,
                                  const CoverageOptions& options) {
  if (!options.program.empty()) {
    return store::ProgramName(options.program, options.store);
  }
  Result<std::vector<std::string>> programs =
      store.ProgramsWithMemo(kIRootMemo);
  if (!programs) return programs.error();
  if (programs->size() == 1) return programs->front();
  if (programs->empty()) {
    return Error(ErrorCode::kUsage)
        .Say("no program has been tested yet")
        .Hint("test one first: fairlead test -- ./app");
  }
  std::string names;
  for (const std::string& name : *programs) names += " " + name;
  return Error(ErrorCode::kUsage)
      .Say("several programs have been tested")
      .Hint("name one of them:{}", names);
}

// Takes over what other stores know of the same program.
Status MergeOthers(const CoverageOptions& options, const std::string& program,
                   store::Store& store) {
  for (const std::string& path : options.merge) {
    Result<std::unique_ptr<store::Store>> other =
        store::OpenStore(path, store::IfMissing::kFail);
    if (!other) return other.error();
    Result<explore::Memo> theirs = LoadMemo(**other, program, 0);
    if (!theirs) return theirs.error();
    const Result<uint64_t> input =
        store.MainInput({.program = program, .kind = kIRootMemo});
    if (!input) return input.error();
    Result<explore::Memo> ours = LoadMemo(store, program, *input);
    if (!ours) return ours.error();
    ours->Merge(*theirs);
    if (Status kept = KeepMemo(*ours, store, program, *input); !kept) {
      return kept;
    }
  }
  return {};
}

Status WriteTo(const std::string& path, const std::string& text) {
  if (path.empty()) return {};
  Result<OutputFile> file = OutputFile::Create(path);
  if (!file) return file.error();
  if (Status put = file->Write(text); !put) return put;
  return file->Finish();
}

Result<ExitCode> Run(const CoverageOptions& options) {
  Result<std::unique_ptr<store::Store>> store =
      store::OpenStore(options.store, store::IfMissing::kFail);
  if (!store) return store.error();
  const Result<std::string> program = ChooseProgram(**store, options);
  if (!program) return program.error();
  if (options.forget) {
    if (Status done = (*store)->ForgetMemo(*program, kIRootMemo); !done) {
      return done.error();
    }
    return ExitCode::kNothingFound;
  }
  if (Status merged = MergeOthers(options, *program, **store); !merged) {
    return merged.error();
  }
  const Result<explore::Memo> memo = LoadLastMemo(**store, *program);
  if (!memo) return memo.error();
  const report::Coverage coverage = {
      .program = *program,
      .num_executions = memo->num_executions(),
      .counts = explore::CoverageOf(*memo, !options.application_only),
      .growth = memo->growth(),
      .estimate = explore::EstimateOf(*memo, report::kMoreSeconds)};
  if (Status put = WriteTo(options.csv, report::GrowthCsv(coverage)); !put) {
    return put.error();
  }
  if (Status put = WriteTo(options.svg, report::GrowthSvg(coverage)); !put) {
    return put.error();
  }
  Print(stdout, FormatOf(options.format)
                    .coverage(coverage, {.verbose = options.verbose,
                                         .lines = options.lines}));
  return ExitCode::kNothingFound;
}

}  // namespace

void AddCoverage(CLI::App& app, Invocation& invocation) {
  CLI::App* coverage = app.add_subcommand(
      "coverage",
      "Say which interleavings of shared accesses have been tested");
  coverage->footer(
      "Examples:\n"
      "  fairlead coverage                 the program that was tested here\n"
      "  fairlead coverage ./app --svg app.svg\n"
      "  fairlead coverage --lines --json  for editors: conflicting pairs of\n"
      "                                    lines, tested and untested\n"
      "  fairlead coverage ./app --merge other/.fairlead/store.db\n"
      "\n"
      "Counted are interleavings between few accesses of two threads: in the\n"
      "simplest, one access directly follows one of another thread to the\n"
      "same memory; the others are made of two such steps. In vain: it was\n"
      "tried to make it happen, and did not. They are kept across executions,\n"
      "inputs and builds.\n");
  auto options = std::make_shared<CoverageOptions>();
  coverage->add_option("PROGRAM", options->program,
                       "Of this program; may be left out if there is one only");
  AddStoreOption(*coverage, options->store);
  coverage->add_flag("--lines", options->lines,
                     "Conflicting pairs of source lines instead");
  coverage->add_flag("--application-only", options->application_only,
                     "Leave out interleavings with steps in libraries");
  coverage->add_option("--csv", options->csv,
                       "Write how coverage grew to this file");
  coverage->add_option("--svg", options->svg, "Draw it into this file");
  coverage
      ->add_option("--merge", options->merge,
                   "Take over what this store knows; repeatable")
      ->allow_extra_args(false);
  coverage->add_flag("--forget", options->forget,
                     "Forget all interleavings of the program");
  AddFormatOptions(*coverage, options->format, &report::Format::coverage);
  coverage->add_flag("--verbose", options->verbose,
                     "Count each pattern (iRoot, by idiom) by itself");
  coverage->callback([options, &invocation] {
    invocation.action = [options] {
      const Result<ExitCode> exit = Run(*options);
      return exit ? *exit : Tell(exit.error(), Form::kText);
    };
  });
}

}  // namespace fairlead::cli
