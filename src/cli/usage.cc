#include "cli/usage.h"

#include <algorithm>
#include <span>

#include "base/closest.h"
#include "base/text.h"

namespace fairlead::cli {
namespace {

// Subcommands that run what follows `--`.
constexpr std::string_view kWithProgram[] = {
    "run", "test", "predict", "force", "doctor", "replay", "check-fix"};

// An argument for somebody else may be anything.
constexpr std::string_view kMayBeEmpty[] = {"--gdb-arg"};

bool Has(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

std::string NotEmpty(std::string& text) {
  return text.empty() ? "the value is empty" : "";
}

// The subcommand that was chosen, and its name in full.
struct Chosen {
  const CLI::App* app;
  std::string command = "fairlead";
};

Chosen ChosenOf(const CLI::App& app) {
  Chosen chosen = {.app = &app};
  while (!chosen.app->get_subcommands().empty()) {
    chosen.app = chosen.app->get_subcommands().front();
    chosen.command += " " + chosen.app->get_name();
  }
  return chosen;
}

// What `word`, which nobody expected, may have been meant for: an option of the
// subcommand that was chosen, or a subcommand. "" = neither looks like it.
std::string Meant(const CLI::App& chosen, const std::string& word) {
  std::vector<std::string> known;
  if (!word.starts_with('-')) {
    for (const CLI::App* each : chosen.get_subcommands({})) {
      known.push_back(each->get_name());
    }
    return DidYouMean(word, known);
  }
  for (const CLI::Option* option : chosen.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      known.push_back("--" + name);
    }
  }
  return DidYouMean(word.substr(0, word.find('=')), known);
}

// Words that nobody expected.
Error Unexpected(const std::vector<std::string>& words, const Chosen& chosen,
                 bool has_program) {
  const bool no_dashes =
      !has_program && Has(kWithProgram, chosen.app->get_name());
  const bool program =
      no_dashes && std::ranges::any_of(words, [](const auto& word) {
        return !word.starts_with('-');
      });
  const std::string& first = words.front();
  const std::string meant = program ? "" : Meant(*chosen.app, first);
  if (!meant.empty()) {
    return Error(ErrorCode::kUsage)
        .Say("{} has no {} {}", chosen.command,
             first.starts_with('-') ? "option" : "subcommand", first)
        .Hint("{} see {} --help", meant, chosen.command);
  }
  // A file without a word about what to do with it.
  const auto verbs = chosen.app->get_subcommands({});
  if (chosen.app->get_parent() != nullptr && !verbs.empty() &&
      !first.starts_with('-')) {
    std::string all;
    for (const CLI::App* verb : verbs) {
      all += fmt::format("{}{}", all.empty() ? "" : ", ", verb->get_name());
    }
    return Error(ErrorCode::kUsage)
        .Say("{} is not told what to do with {}", chosen.command,
             ShellQuote(first))
        .Hint("put one of these before it: {}", all);
  }
  return Error(ErrorCode::kUsage)
      .Say("{} does not expect {}", chosen.command, ShellCommand(words))
      .Hint("{}{} --help", program ? "put -- before the program, see " : "see ",
            chosen.command);
}

// Of an option that has too few values or too many; "" = CLI11's words will do.
std::string CountSentence(const CLI::ParseError& failure,
                          const CLI::App& chosen) {
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&failure) == nullptr) {
    return "";
  }
  const std::string_view text = failure.what();
  for (const CLI::Option* option : chosen.get_options()) {
    const std::string name = option->get_name();
    if (!text.starts_with(name + ":")) continue;
    return name + (option->count() > 1 ? " is given more than once"
                                       : " needs a value");
  }
  return "";
}

}  // namespace

void RefuseEmptyValues(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const bool takes_value = option->get_items_expected_max() > 0;
    if (takes_value && !Has(kMayBeEmpty, option->get_name())) {
      option->transform(CLI::Validator(NotEmpty, ""));  // ahead of checks
    }
  }
  for (CLI::App* each : app.get_subcommands({})) RefuseEmptyValues(*each);
}

Error UsageError(const CLI::ParseError& failure, const CLI::App& app,
                 const Invocation& invocation) {
  const Chosen chosen = ChosenOf(app);
  const std::vector<std::string> words = app.remaining(true);
  const bool no_subcommand =
      dynamic_cast<const CLI::RequiredError*>(&failure) != nullptr &&
      !chosen.app->get_subcommands({}).empty();
  const bool extras =
      dynamic_cast<const CLI::ExtrasError*>(&failure) != nullptr;
  if (!words.empty() && (extras || no_subcommand)) {
    return Unexpected(words, chosen, invocation.has_program);
  }
  const std::string sentence = CountSentence(failure, *chosen.app);
  return Error(ErrorCode::kUsage)
      .Say("{}", sentence.empty() ? failure.what() : sentence)
      .Hint("see {} --help", chosen.command);
}

}  // namespace fairlead::cli
