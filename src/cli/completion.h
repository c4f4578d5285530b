// cli/completion.h
//
// `fairlead completion`: what a shell needs to complete our verbs, options and
// their values; and the manual page. Both are made of the definitions that
// --help prints, so that they cannot say anything else.

#ifndef FAIRLEAD_CLI_COMPLETION_H_
#define FAIRLEAD_CLI_COMPLETION_H_

#include "cli/command.h"

namespace fairlead::cli {

void AddCompletion(CLI::App& app, Invocation& invocation);

// All verbs and options as a page for man(1).
std::string ManualPage(CLI::App& app);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_COMPLETION_H_
