// cli/formats.h
//
// `--format` and `--json`: which report format a command prints.

#ifndef FAIRLEAD_CLI_FORMATS_H_
#define FAIRLEAD_CLI_FORMATS_H_

#include <CLI/CLI.hpp>
#include <string>

#include "report/format.h"

namespace fairlead::cli {

// Adds `--format`, of those formats that have this `report`, and `--json`, the
// short form of `--format json`.
template <typename Report>
void AddFormatOptions(CLI::App& command, std::string& format,
                      Report report::Format::* report);

// Adds `--format` only.
template <typename Report>
void AddFormatOption(CLI::App& command, std::string& format,
                     Report report::Format::* report);

// A name that one of these options has accepted.
const report::Format& FormatOf(const std::string& name);

template <typename Report>
void AddFormatOption(CLI::App& command, std::string& format,
                     Report report::Format::* report) {
  format = report::Formats().front()->name;
  std::vector<std::string> names;
  std::string help = "How it is printed:";
  for (const report::Format* each : report::Formats()) {
    if (each->*report == nullptr) continue;
    help += (names.empty() ? " " : ", ") + std::string(each->name);
    names.emplace_back(each->name);
  }
  command.add_option("--format", format, help)
      ->check(CLI::IsMember(names))
      ->capture_default_str();
}

template <typename Report>
void AddFormatOptions(CLI::App& command, std::string& format,
                      Report report::Format::* report) {
  AddFormatOption(command, format, report);
  command.add_flag_callback(
      "--json", [&format] { format = "json"; }, "The same as --format json");
}

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_FORMATS_H_
