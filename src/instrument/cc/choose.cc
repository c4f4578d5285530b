#include "instrument/cc/choose.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "instrument/cc/arguments.h"

namespace fairlead::cc {
namespace {

constexpr std::string_view kOwnPrefix = "--fairlead-";

// The line without our own options, and what those said.
struct OwnPart {
  Wish wish = Wish::kRun;
  bool off = false;
  std::vector<std::string> rest;
};

Result<OwnPart> TakeOwnOptions(std::span<const std::string> args) {
  OwnPart own;
  std::vector<size_t> taken;
  for (const Argument& argument : CutArguments(args)) {
    if (argument.kind != ArgumentKind::kOption ||
        !argument.text.starts_with(kOwnPrefix)) {
      continue;
    }
    taken.push_back(argument.index);
    const std::string_view name = argument.text.substr(kOwnPrefix.size());
    if (name == "off") {
      own.off = true;
    } else if (name == "help") {
      own.wish = Wish::kHelp;
    } else if (name == "version") {
      own.wish = Wish::kVersion;
    } else if (name == "print-command") {
      own.wish = Wish::kPrintCommand;
    } else {
      return Error(ErrorCode::kUsage)
          .Say("unknown option {}", argument.text)
          .Hint("see --fairlead-help");
    }
  }
  for (size_t i = 0; i < args.size(); ++i) {
    if (std::ranges::count(taken, i) == 0) own.rest.push_back(args[i]);
  }
  return own;
}

bool MakesCode(Language language) {
  return language == Language::kC || language == Language::kCxx ||
         language == Language::kIr;
}

bool IsPreprocessed(Language language) {
  switch (language) {
    case Language::kC:
    case Language::kCxx:
    case Language::kCHeader:
    case Language::kCxxHeader:
    case Language::kCppAssembly:
      return true;
    case Language::kAssembly:
    case Language::kIr:
    case Language::kForeign:
    case Language::kLinkerInput:
      return false;
  }
  return false;
}

bool IsCxx(Language language) {
  return language == Language::kCxx || language == Language::kCxxHeader;
}

bool Has(const Reading& reading, Language language) {
  return std::ranges::count(reading.inputs, language) > 0;
}

// Lines that we pass on as they are: not for the driver, or not for us.
bool IsForeign(const Reading& reading) {
  return reading.names_frontend || reading.foreign_mode ||
         reading.target == Target::kOther || Has(reading, Language::kForeign);
}

// The options before the user's, so that the user's win where both speak, and
// those behind, which must win.
struct Additions {
  std::vector<std::string> front;
  std::vector<std::string> back;
};

// By -Xclang throughout: what goes to the compiler proper neither warns as
// unused on lines that also link nor reaches the linker under LTO.
void AddPass(const Surroundings& here, const Reading& reading,
             Additions& added) {
  // -load makes the pass's options known before -mllvm is read.
  const std::string debug =
      reading.debug == DebugLevel::kFull ? "full" : "lines";
  for (const std::string& option :
       {std::string("-load"), here.pass, "-fpass-plugin=" + here.pass,
        std::string("-mllvm"), "-fairlead-root=" + here.root,
        std::string("-mllvm"), "-fairlead-debug=" + debug}) {
    added.front.push_back("-Xclang");
    added.front.push_back(option);
  }
}

// The pass reads types from debug information, then leaves what the user asked
// for, or line tables.
void AddDebug(const Reading& reading, Additions& added) {
  if (std::ranges::any_of(reading.inputs, IsCxx)) {
    added.front.push_back("-fstandalone-debug");
  }
  if (reading.debug != DebugLevel::kFull) {
    // Assembling saved text warns about checksums, which DWARF 4 does not have;
    // who asked for debug information has that warning from clang anyway.
    const bool warns =
        reading.debug == DebugLevel::kNone && reading.saves_temporaries;
    added.back.push_back(warns ? "-gdwarf-4" : "-g");
  }
  if (reading.debug == DebugLevel::kNone && reading.split_dwarf) {
    // Without -g this made no .dwo file, and must not begin to.
    added.back.push_back("-gno-split-dwarf");
  }
}

void AddForLink(const Surroundings& here, const Reading& reading,
                Additions& added) {
  if (!reading.link_time_optimised || reading.chooses_linker ||
      here.lld.empty()) {
    return;
  }
  // The first says what it is, the second which one of several it is.
  added.front.push_back("-fuse-ld=lld");
  added.front.push_back("--ld-path=" + here.lld);
}

Result<Additions> ChooseAdditions(const Surroundings& here,
                                  const Reading& reading) {
  Additions added;
  if (IsForeign(reading)) return added;
  const bool compiles = reading.last_phase >= LastPhase::kCode &&
                        std::ranges::any_of(reading.inputs, MakesCode);
  const bool precompiles = reading.last_phase == LastPhase::kPrecompile ||
                           Has(reading, Language::kCHeader) ||
                           Has(reading, Language::kCxxHeader);
  if (compiles) {
    if (here.pass.empty()) {
      return Error(ErrorCode::kEnvironment)
          .Say("the pass {} is missing", here.pass_wanted)
          .Hint(
              "build or install Fairlead again, or give --fairlead-off to "
              "compile without it");
    }
    if (reading.checks_memory) {
      return Error(ErrorCode::kUsage)
          .Say(
              "-fsanitize=memory follows threads and memory itself, and does "
              "not go with fairlead-cc")
          .Hint(
              "leave it out, or give --fairlead-off to compile without "
              "Fairlead");
    }
    AddPass(here, reading, added);
  }
  // What is precompiled must have been compiled like what will use it.
  if (compiles || precompiles) AddDebug(reading, added);
  if (std::ranges::any_of(reading.inputs, IsPreprocessed) &&
      !reading.no_standard_includes) {
    // Inputs that are preprocessed already leave it unused.
    for (const std::string& option :
         {std::string("--start-no-unused-arguments"), std::string("-idirafter"),
          here.include, std::string("-D__FAIRLEAD__=1"),
          std::string("--end-no-unused-arguments")}) {
      added.front.push_back(option);
    }
  }
  if (reading.last_phase == LastPhase::kLink && !reading.inputs.empty()) {
    AddForLink(here, reading, added);
  }
  return added;
}

// Puts the additions around the user's arguments, but not behind a `--`, where
// everything is an input, nor where an option waits for its value.
std::vector<std::string> Combine(const std::string& name,
                                 std::span<const std::string> args,
                                 const Additions& added) {
  std::vector<std::string> all = {name};
  const auto append = [&all](std::span<const std::string> more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  append(added.front);
  size_t end = args.size();
  for (const Argument& argument : CutArguments(args)) {
    if (argument.kind == ArgumentKind::kDashes ||
        argument.kind == ArgumentKind::kDangling) {
      end = argument.index;
    }
  }
  append(args.first(end));
  append(added.back);
  append(args.subspan(end));
  return all;
}

}  // namespace

Result<Command> ChooseArguments(const Invocation& invocation) {
  const Surroundings& here = invocation.surroundings;
  Result<OwnPart> own = TakeOwnOptions(invocation.args);
  if (!own) return own.error();
  Command command;
  command.wish = own->wish;
  if (command.wish == Wish::kHelp || command.wish == Wish::kVersion) {
    return command;
  }
  if (here.clang.empty()) {
    return Error(ErrorCode::kEnvironment)
        .Say("clang 19 was not found")
        .Hint("install clang-19, or set FAIRLEAD_CLANG to its path");
  }

  Additions added;
  if (!own->off && !invocation.switched_off) {
    const std::vector<std::string> expanded =
        ExpandResponses(own->rest, here.read_file);
    Result<Additions> chosen =
        ChooseAdditions(here, ReadCommandLine(expanded, invocation.mode));
    if (!chosen) return chosen.error();
    added = *std::move(chosen);
  }
  command.program = here.clang;
  command.args = Combine(here.clang_name, own->rest, added);
  return command;
}

}  // namespace fairlead::cc
