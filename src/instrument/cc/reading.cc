#include "instrument/cc/reading.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "instrument/cc/arguments.h"

namespace fairlead::cc {
namespace {

using std::string_view_literals::operator""sv;

struct Stop {
  std::string_view option;
  LastPhase phase;
};

constexpr Stop kStops[] = {
    {"-E", LastPhase::kPreprocess},
    {"--preprocess", LastPhase::kPreprocess},
    {"-M", LastPhase::kPreprocess},
    {"--dependencies", LastPhase::kPreprocess},
    {"-MM", LastPhase::kPreprocess},
    {"--user-dependencies", LastPhase::kPreprocess},
    {"--driver-mode=cpp", LastPhase::kPreprocess},
    {"--precompile", LastPhase::kPrecompile},
    {"-extract-api", LastPhase::kPrecompile},
    {"-fsyntax-only", LastPhase::kCheck},
    {"--analyze", LastPhase::kCheck},
    {"-emit-ast", LastPhase::kCheck},
    {"-module-file-info", LastPhase::kCheck},
    {"-verify-pch", LastPhase::kCheck},
    {"-rewrite-objc", LastPhase::kCheck},
    {"-rewrite-legacy-objc", LastPhase::kCheck},
    {"-S", LastPhase::kCode},
    {"--assemble", LastPhase::kCode},
    {"-c", LastPhase::kCode},
    {"--compile", LastPhase::kCode},
};

std::optional<LastPhase> LastPhaseOf(std::string_view option) {
  for (const Stop& stop : kStops) {
    if (stop.option == option) return stop.phase;
  }
  return std::nullopt;
}

Target TargetOf(std::string_view triple) {
  const std::string_view architecture = triple.substr(0, triple.find('-'));
  const bool ours = architecture == "x86_64" || architecture == "amd64";
  return ours && triple.contains("linux") && !triple.ends_with("gnux32")
             ? Target::kSupported
             : Target::kOther;
}

void ReadFlag(std::string_view option, Reading& reading) {
  if (const auto level = DebugLevelOf(option)) reading.debug = *level;
  if (const auto phase = LastPhaseOf(option)) {
    reading.last_phase = std::min(reading.last_phase, *phase);
  }
  if (option == "-cc1" || option == "-cc1as") reading.names_frontend = true;
  if (option == "-nostdinc" || option == "--no-standard-includes") {
    reading.no_standard_includes = true;
  }
  if (option == "-gsplit-dwarf" || option.starts_with("-gsplit-dwarf=")) {
    reading.split_dwarf = true;
  }
  if (option == "-gno-split-dwarf") reading.split_dwarf = false;
  if (option.starts_with("-save-temps") || option.starts_with("--save-temps")) {
    reading.saves_temporaries = true;
  }
  if (option == "-flto" || option.starts_with("-flto=")) {
    reading.link_time_optimised = true;
  }
  if (option == "-fno-lto") reading.link_time_optimised = false;
  if (option == "-m32" || option == "-mx32" || option == "-m16") {
    reading.target = Target::kOther;
  }
  if (option == "-m64") reading.target = Target::kSupported;
}

void ReadValue(const Argument& argument, Reading& reading) {
  for (const std::string_view name : {"-target"sv, "--target="sv}) {
    const std::string_view triple = ValueOf(argument, name);
    if (!triple.empty()) reading.target = TargetOf(triple);
  }
  for (const std::string_view name : {"-fuse-ld="sv, "--ld-path="sv}) {
    // An empty name undoes an earlier one.
    const std::string_view linker = ValueOf(argument, name);
    if (linker.data() != nullptr) reading.chooses_linker = !linker.empty();
  }
  const std::string_view mode = ValueOf(argument, "--driver-mode=");
  if (mode == "cl" || mode == "dxc" || mode == "flang") {
    reading.foreign_mode = true;
  }
}

// The sanitizers that an option names, between commas.
bool Names(std::string_view list, std::string_view sanitizer) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    if (list.substr(0, comma) == sanitizer) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

void ReadSanitizers(const Argument& argument, Reading& reading) {
  if (Names(ValueOf(argument, "-fsanitize="), "memory")) {
    reading.checks_memory = true;
  }
  const std::string_view without = ValueOf(argument, "-fno-sanitize=");
  if (Names(without, "memory") || Names(without, "all")) {
    reading.checks_memory = false;
  }
}

// The language that `argument` forces on the inputs behind it, or null data().
std::string_view ForcedBy(const Argument& argument) {
  for (const std::string_view name :
       {"-x"sv, "--language="sv, "--language"sv}) {
    const std::string_view language = ValueOf(argument, name);
    if (!language.empty()) return language;
  }
  return {};
}

}  // namespace

Reading ReadCommandLine(std::span<const std::string> args, DriverMode mode) {
  Reading reading;
  std::string_view forced;
  for (const Argument& argument : CutArguments(args)) {
    switch (argument.kind) {
      case ArgumentKind::kInput:
        reading.inputs.push_back(LanguageOf(argument.text, forced, mode));
        continue;
      case ArgumentKind::kDashes:
      case ArgumentKind::kDangling:
        continue;
      case ArgumentKind::kOption:
        ReadFlag(argument.text, reading);
        break;
      case ArgumentKind::kValued:
        break;
    }
    ReadValue(argument, reading);
    ReadSanitizers(argument, reading);
    if (argument.text == "--driver-mode=g++") mode = DriverMode::kCxx;
    if (argument.text == "--driver-mode=gcc") mode = DriverMode::kC;
    const std::string_view language = ForcedBy(argument);
    if (!language.empty()) forced = language;
  }
  return reading;
}

}  // namespace fairlead::cc
