// cli/usage.h
//
// What is wrong with a command line, in words that say what to type instead.
// CLI11 finds most of it; its own sentences are for programmers.

#ifndef FAIRLEAD_CLI_USAGE_H_
#define FAIRLEAD_CLI_USAGE_H_

#include "base/result.h"
#include "cli/command.h"

namespace fairlead::cli {

// Makes every option of every subcommand refuse a value that is empty: most
// likely a variable of a script that is not set, and no option means anything
// by it.
void RefuseEmptyValues(CLI::App& app);

// Of what `app` could not read.
Error UsageError(const CLI::ParseError& failure, const CLI::App& app,
                 const Invocation& invocation);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_USAGE_H_
