// cli/help.cc
//
// `fairlead help`: which verbs there are. Everyday ones are on the first
// screen; what looks at one execution, or at the machine, is for experts, and
// comes with --all.

#include <stdio.h>

#include <algorithm>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/print.h"

namespace fairlead::cli {
namespace {

// A heading of the list of verbs. Those in none of them are everyday verbs.
struct Heading {
  const char* text;
  std::initializer_list<std::string_view> verbs;
};
const Heading kKnowledge = {"What is known about a program", {"facts"}};
const Heading kExperts = {"For experts",
                          {"minimize", "run", "force", "predict", "trace",
                           "check-history", "doctor", "completion"}};
const Heading kProduction = {"In production", {"guard"}};
// CLI11 leaves out what stands under no heading.
constexpr char kHidden[] = "";

void Put(CLI::App& app, const Heading& heading, const char* under) {
  for (CLI::App* verb : app.get_subcommands({})) {
    if (std::ranges::find(heading.verbs, verb->get_name()) !=
        heading.verbs.end()) {
      verb->group(under);
    }
  }
}

struct HelpOptions {
  std::string verb;  // "" = all of them
  bool all = false;
};

ExitCode Help(CLI::App& app, const HelpOptions& options) {
  if (options.verb.empty()) {
    if (options.all) Put(app, kExperts, kExperts.text);
    app.clear();  // else it is the help of `help`
    Print(stdout, app.help());
    return ExitCode::kNothingFound;
  }
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_name() != options.verb) continue;
    Print(stdout, verb->help("fairlead"));
    return ExitCode::kNothingFound;
  }
  return Tell(Error(ErrorCode::kUsage)
                  .Say("there is no verb '{}'", options.verb)
                  .Hint("fairlead help --all lists them"),
              Form::kText);
}

}  // namespace

void AddHelp(CLI::App& app, Invocation& invocation) {
  CLI::App* help =
      app.add_subcommand("help", "List the verbs, or explain one of them");
  auto options = std::make_shared<HelpOptions>();
  help->add_option("verb", options->verb, "Explain this one");
  help->add_flag("--all", options->all, "Also verbs for experts");
  help->footer(
      "Examples:\n"
      "  fairlead help test\n"
      "  fairlead help --all\n");
  help->callback([options, &app, &invocation] {
    invocation.action = [options, &app] { return Help(app, *options); };
  });
  Put(app, kKnowledge, kKnowledge.text);
  Put(app, kProduction, kProduction.text);
  Put(app, kExperts, kHidden);
}

}  // namespace fairlead::cli
