// cli/command.h
//
// How subcommands are put together: each has a file of its own with one
// function that declares its options and says what to do when it is chosen.

#ifndef FAIRLEAD_CLI_COMMAND_H_
#define FAIRLEAD_CLI_COMMAND_H_

#include <CLI/CLI.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "abi/control.h"
#include "base/exit_code.h"
#include "base/result.h"

namespace fairlead::cli {

// One call of `fairlead`.
struct Invocation {
  // What follows `--`: the program and its arguments.
  std::vector<std::string> program;
  bool has_program = false;  // whether there was a `--`
  // Set by the subcommand that was chosen; carries it out.
  std::function<ExitCode()> action;
};

void AddCheckHistory(CLI::App& app, Invocation& invocation);
void AddDoctor(CLI::App& app, Invocation& invocation);
void AddFacts(CLI::App& app, Invocation& invocation);
void AddGuard(CLI::App& app, Invocation& invocation);
void AddHelp(CLI::App& app, Invocation& invocation);
void AddForce(CLI::App& app, Invocation& invocation);
void AddTest(CLI::App& app, Invocation& invocation);
void AddBugs(CLI::App& app, Invocation& invocation);
void AddShow(CLI::App& app, Invocation& invocation);
void AddReplay(CLI::App& app, Invocation& invocation);
void AddReport(CLI::App& app, Invocation& invocation);
void AddPredict(CLI::App& app, Invocation& invocation);
void AddCoverage(CLI::App& app, Invocation& invocation);
void AddCheckFix(CLI::App& app, Invocation& invocation);
void AddExport(CLI::App& app, Invocation& invocation);
void AddMinimize(CLI::App& app, Invocation& invocation);
void AddRun(CLI::App& app, Invocation& invocation);
void AddTrace(CLI::App& app, Invocation& invocation);
void AddTracePerfetto(CLI::App& trace, Invocation& invocation);
void AddTracePrint(CLI::App& trace, Invocation& invocation);
void AddTraceStat(CLI::App& trace, Invocation& invocation);
void AddTraceSlice(CLI::App& trace, Invocation& invocation);

// Options that several commands have, as values. A time limit of 0 is none.
abi::CarrierId CarrierOf(std::string_view word);
std::string_view WordOf(abi::CarrierId carrier);
std::optional<std::chrono::nanoseconds> TimeLimit(double seconds);

// --early-timeouts, and the flag of a plan that it means.
void AddEarlyTimeouts(CLI::App& command, std::string& word);
uint64_t EarlyFlagOf(std::string_view word);

// What the command line's own reading lets pass: numbers that do not fit, or
// are none.
CLI::Validator WholeNumber();
CLI::Validator Seconds();

// Tells the user on standard error, as text or as JSON, and gives the exit
// code that belongs to it.
enum class Form { kText, kJson };
ExitCode Tell(const Error& error, Form form);

// Of this build.
std::string Version();

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_COMMAND_H_
