#include "cli/completion.h"

#include <stdio.h>

#include <memory>

#include "base/text.h"
#include "cli/print.h"

namespace fairlead::cli {
namespace {

// "--format" and "-o" of an option, and others that it has.
std::vector<std::string> NamesOf(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_lnames()) {
    names.push_back("--" + name);
  }
  for (const std::string& name : option.get_snames()) {
    names.push_back("-" + name);
  }
  return names;
}

// What it may be given, where that is a list: "TEXT:{json,text}".
std::vector<std::string> ValuesOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const size_t open = type.find('{');
  const size_t close = type.find('}');
  std::vector<std::string> values;
  if (open == std::string::npos || close == std::string::npos) return values;
  for (const std::string_view value :
       Split(std::string_view(type).substr(open + 1, close - open - 1), ',')) {
    values.emplace_back(value);
  }
  return values;
}

std::string Joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : between) + word;
  }
  return text;
}

// The arms of the two `case`s of the function, for an app and those below it.
struct Arms {
  std::string paths;   // which words lead to a verb
  std::string words;   // what may follow one
  std::string values;  // what may follow an option of one
};

void AddArms(const CLI::App& app, const std::string& path, Arms& arms) {
  std::vector<std::string> words;
  for (const CLI::Option* option : app.get_options()) {
    const std::vector<std::string> names = NamesOf(*option);
    words.insert(words.end(), names.begin(), names.end());
    const std::vector<std::string> values = ValuesOf(*option);
    if (names.empty() || values.empty()) continue;
    for (const std::string& name : names) {
      arms.values += fmt::format("    '{} {}') words='{}' ;;\n", path, name,
                                 Joined(values, " "));
    }
  }
  for (const CLI::App* verb : app.get_subcommands({})) {
    const std::string below = path + " " + verb->get_name();
    words.push_back(verb->get_name());
    arms.paths += fmt::format("{}'{}'", arms.paths.empty() ? "" : " | ", below);
    AddArms(*verb, below, arms);
  }
  arms.words +=
      fmt::format("      '{}') words='{}' ;;\n", path, Joined(words, " "));
}

// Before `--` verbs and options are ours; what follows is a command.
std::string ShellFunction(const CLI::App& app) {
  Arms arms;
  AddArms(app, "", arms);
  return fmt::format(
      "_fairlead() {{\n"
      "  local cur=${{COMP_WORDS[COMP_CWORD]}}\n"
      "  local prev=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  local path='' words='' i\n"
      "  COMPREPLY=()\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    if [[ ${{COMP_WORDS[i]}} == -- ]]; then\n"
      "      COMPREPLY=($(compgen -f -- \"$cur\"))\n"
      "      return\n"
      "    fi\n"
      "    case \"$path ${{COMP_WORDS[i]}}\" in\n"
      "      {}) path=\"$path ${{COMP_WORDS[i]}}\" ;;\n"
      "    esac\n"
      "  done\n"
      "  case \"$path $prev\" in\n{}"
      "    *)\n"
      "      case \"$path\" in\n{}"
      "      esac ;;\n"
      "  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
      "  if [[ $cur != -* && -n $path ]]; then\n"
      "    COMPREPLY+=($(compgen -f -- \"$cur\"))\n"
      "  fi\n"
      "}}\n"
      "complete -o filenames -F _fairlead fairlead\n",
      arms.paths, arms.values, arms.words);
}

// As text of roff: nothing in it is a request or an escape.
std::string Roff(std::string_view text) {
  std::string result;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    begins = c == '\n';
  }
  return result;
}

std::string ManualOf(CLI::App& app, const std::string& path) {
  std::string text;
  if (!path.empty()) {
    text += fmt::format(".SS {}\n{}\n", Roff("fairlead" + path),
                        Roff(app.get_description()));
  }
  for (const CLI::Option* option : app.get_options()) {
    std::vector<std::string> names = NamesOf(*option);
    if (names.empty()) names.push_back(option->get_name(true));
    const bool takes = option->get_items_expected_max() > 0;
    const std::string type = takes ? option->get_type_name() : "";
    text += fmt::format(
        ".TP\n.B {}\n{}\n",
        Roff(Joined(names, ", ") + (type.empty() ? "" : " " + type)),
        Roff(option->get_description()));
  }
  if (!path.empty() && !app.get_footer().empty()) {
    text += fmt::format(".PP\n.nf\n{}\n.fi\n", Roff(app.get_footer()));
  }
  for (CLI::App* verb : app.get_subcommands({})) {
    text += ManualOf(*verb, path + " " + verb->get_name());
  }
  return text;
}

}  // namespace

std::string ManualPage(CLI::App& app) {
  return fmt::format(
             ".TH FAIRLEAD 1 \"\" \"fairlead {}\"\n.SH NAME\n"
             "fairlead \\- finds concurrency bugs in C and C++ programs\n"
             ".SH SYNOPSIS\n.B fairlead\n.I verb\n[options] [\\-\\- program "
             "[arguments]]\n.SH DESCRIPTION\n{}\n.nf\n{}\n.fi\n"
             ".SH OPTIONS AND VERBS\n",
             Version(), Roff(app.get_description()), Roff(app.get_footer())) +
         ManualOf(app, "");
}

void AddCompletion(CLI::App& app, Invocation& invocation) {
  CLI::App* completion = app.add_subcommand(
      "completion", "Print what a shell needs to complete our words");
  completion->footer(
      "Examples:\n"
      "  fairlead completion bash > ~/.local/share/bash-completion/completions/"
      "fairlead\n"
      "  fairlead completion zsh >> ~/.zshrc\n"
      "  fairlead completion man > ~/.local/share/man/man1/fairlead.1\n");
  auto what = std::make_shared<std::string>();
  completion->add_option("shell", *what, "bash, zsh, or man: the manual page")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "man"}));
  completion->callback([what, &app, &invocation] {
    invocation.action = [what, &app] {
      std::string text;
      if (*what == "man") {
        text = ManualPage(app);
      } else {
        if (*what == "zsh") {
          text = "autoload -Uz compinit bashcompinit\ncompinit\nbashcompinit\n";
        }
        text += ShellFunction(app);
      }
      Print(stdout, text);
      return ExitCode::kNothingFound;
    };
  });
}

}  // namespace fairlead::cli
