// cli/facts.cc
//
// `fairlead facts`: what is inferred or declared about a program, looked at,
// decided and exchanged.

#include "cli/facts.h"

#include <memory>

#include "cli/command.h"
#include "cli/facts_verbs.h"
#include "cli/findings.h"

namespace fairlead::cli {
namespace {

constexpr char kExamples[] =
    "Examples:\n"
    "  fairlead facts                    what is known: facts show\n"
    "  fairlead facts suggest            propose what was learnt\n"
    "  fairlead facts accept 3fa2c001    go by it from now on\n"
    "  fairlead facts export --out fairlead.facts\n"
    "      write them where people review and commit them\n"
    "  fairlead facts import --suppressions .fairlead/suppressions\n"
    "  fairlead facts diff theirs.facts\n"
    "  fairlead facts merge ours.facts theirs.facts --out ours.facts\n"
    "\n"
    "Facts are kept in the store and in fairlead.facts; fairlead test goes by\n"
    "those that are accepted. The file's form: docs/reference/facts.md.\n"
    "Exit codes: 0 done, 1 diff has found differences or merge and import\n"
    "contrary decisions, 2 usage, 3 environment.\n";

using Verb = Result<ExitCode> (*)(const FactsOptions&);

// Makes `word` the kind's own.
std::string KindProblem(std::string& word) {
  if (word == "sets") word = fact::WordOf(fact::Kind::kAtomicSet);
  const Result<fact::Kind> kind = ParseFactKind(word);
  if (kind) word = fact::WordOf(*kind);
  return kind ? "" : kind.error().Text();
}

// What a verb takes besides --store and --facts.
enum class Takes { kKind, kNames, kOneOrTwoFiles, kTwoFiles, kFile };

void AddArguments(CLI::App& verb, Takes takes, FactsOptions& options) {
  switch (takes) {
    case Takes::kKind:
      verb.add_option("kind", options.kind, "Only facts of this kind")
          ->transform(CLI::Validator(KindProblem, "KIND"));
      return;
    case Takes::kNames:
      verb.add_option("fact", options.names,
                      "Its id in facts show, or the beginning of it; or a "
                      "kind: all proposals of that kind, or, to forget, all "
                      "facts of it")
          ->required();
      return;
    case Takes::kOneOrTwoFiles:
      verb.add_option("file", options.files,
                      "A file of facts, and the one to compare it with; "
                      "without a second, what is known here")
          ->required()
          ->expected(1, 2);
      return;
    case Takes::kTwoFiles:
      verb.add_option("file", options.files, "Our file, and theirs")
          ->required()
          ->expected(2);
      return;
    case Takes::kFile:
      verb.add_option("file", options.files, "A file of facts; - = input")
          ->expected(1);
      return;
  }
}

void AddKindOption(CLI::App& verb, FactsOptions& options) {
  verb.add_option("--kind", options.kind, "Only facts of this kind")
      ->transform(CLI::Validator(KindProblem, "KIND"));
}

class Group {
 public:
  Group(CLI::App& facts, Invocation& invocation)
      : facts_(facts), invocation_(invocation) {}

  // `examples` are lines of help.
  CLI::App& Add(const char* name, const char* description, Takes takes,
                Verb run, const char* examples) {
    CLI::App* verb = facts_.add_subcommand(name, description);
    auto options = std::make_shared<FactsOptions>();
    last_ = options;
    AddArguments(*verb, takes, *options);
    AddStoreOption(*verb, options->store);
    verb->footer(std::string("Examples:\n") + examples);
    Invocation& invocation = invocation_;
    verb->callback([options, run, &invocation] {
      invocation.action = [options, run, &invocation] {
        options->program = invocation.program;
        const Result<ExitCode> exit = run(*options);
        return exit ? *exit : Tell(exit.error(), Form::kText);
      };
    });
    return *verb;
  }

  // Those of the verb that was added last.
  FactsOptions& options() { return *last_; }

 private:
  CLI::App& facts_;
  Invocation& invocation_;
  std::shared_ptr<FactsOptions> last_;
};

void AddLooking(Group& group) {
  CLI::App& show =
      group.Add("show", "What is known, by kind", Takes::kKind, ShowFacts,
                "  fairlead facts show\n"
                "  fairlead facts show suppression --json\n");
  AddFactsOption(show, group.options().facts);
  show.add_flag("--json", group.options().json, "As JSON");
  CLI::App& diff = group.Add(
      "diff", "What differs between two files, or a file and what is known",
      Takes::kOneOrTwoFiles, DiffFacts,
      "  fairlead facts diff theirs.facts\n"
      "  fairlead facts diff old.facts new.facts\n"
      "\n"
      "Lines with - are only in the first, with + only in the second.\n"
      "Exit code: 1 if they differ, 0 if not.\n");
  AddFactsOption(diff, group.options().facts);
  AddKindOption(diff, group.options());
  diff.add_flag("--json", group.options().json, "As JSON");
}

void AddDeciding(Group& group) {
  CLI::App& suggest =
      group.Add("suggest", "Propose facts from what the store knows",
                Takes::kKind, SuggestFacts,
                "  fairlead bugs --ignore 2\n"
                "  fairlead facts suggest suppression\n"
                "      a suppression for each finding that is ignored\n"
                "  fairlead facts suggest sets -- ./app\n"
                "      fields that may belong together, and units of work,\n"
                "      as the program's types suggest them\n");
  AddFactsOption(suggest, group.options().facts);
  suggest.add_flag("--json", group.options().json, "As JSON");
  group.Add("accept", "Go by these facts", Takes::kNames, AcceptFacts,
            "  fairlead facts accept 3fa2c001\n"
            "  fairlead facts accept suppression\n");
  group.Add("reject", "These are wrong: do not propose them again",
            Takes::kNames, RejectFacts, "  fairlead facts reject 3fa2c001\n");
  group.Add("forget", "Take these out of the store", Takes::kNames, ForgetFacts,
            "  fairlead facts forget 3fa2c001\n"
            "  fairlead facts forget order     all that was learnt of it\n");
}

void AddExchanging(Group& group) {
  CLI::App& import_verb = group.Add(
      "import", "Merge a file into the store", Takes::kFile, ImportFacts,
      "  fairlead facts import theirs.facts\n"
      "  fairlead facts import --suppressions .fairlead/suppressions\n");
  AddKindOption(import_verb, group.options());
  import_verb.add_option("--suppressions", group.options().suppressions,
                         "A file of suppressions only, as --suppressions of "
                         "fairlead test reads it");
  CLI::App& export_verb = group.Add(
      "export", "Print what the store has, or merge it into a file",
      Takes::kKind, ExportFacts,
      "  fairlead facts export\n"
      "  fairlead facts export suppression --out fairlead.facts\n"
      "\n"
      "Proposals are left out unless --all is given. A file that is there\n"
      "keeps its comments and its own decisions.\n");
  export_verb.add_option("--out", group.options().out, "Into this file");
  export_verb.add_flag("--all", group.options().all, "Also proposals");
  CLI::App& merge = group.Add(
      "merge", "Make one of two files", Takes::kTwoFiles, MergeFactFiles,
      "  fairlead facts merge ours.facts theirs.facts\n"
      "  fairlead facts merge %A %B --out %A\n"
      "      as a merge driver of git\n"
      "\n"
      "Exit code: 1 if one accepts what the other rejects; ours stays.\n");
  AddKindOption(merge, group.options());
  merge.add_option("--out", group.options().out,
                   "Into this file; default: standard output");
}

}  // namespace

void AddFacts(CLI::App& app, Invocation& invocation) {
  CLI::App* facts = app.add_subcommand(
      "facts", "What is known about a program: looked at, decided, exchanged");
  std::string kinds = "Kinds:\n";
  for (const fact::KindEntry& entry : fact::Kinds()) {
    kinds += fmt::format(
        "  {:<16} {}{}\n", entry.word, entry.title,
        entry.use == fact::Use::kUnused ? " (kept only, so far)" : "");
  }
  facts->footer(kinds + "\n" + kExamples);
  facts->require_subcommand(0, 1);
  auto options = std::make_shared<FactsOptions>();
  options->store = kDefaultStore;
  facts->callback([facts, options, &invocation] {
    if (!facts->get_subcommands().empty()) return;
    invocation.action = [options] {
      const Result<ExitCode> exit = ShowFacts(*options);
      return exit ? *exit : Tell(exit.error(), Form::kText);
    };
  });
  Group group(*facts, invocation);
  AddLooking(group);
  AddDeciding(group);
  AddExchanging(group);
}

}  // namespace fairlead::cli
